(* Leakage (SPEC 5 and 12), for any messages, independent or not: the strength of the best attack and the cost of
   the cheapest alibi. A view is a matrix with a row for each message and a column for each independent standard draw. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Muffliato Require Import gossip.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Leakage.

Variable R : realFieldType.

Section Energy.

Variable k : nat.
Implicit Types (x y : 'rV[R]_k).

Definition dot x y : R := (x *m y^T) 0 0.

Definition energy x : R := dot x x.

Lemma dotE x y : dot x y = \sum_i x 0 i * y 0 i.
Proof. by rewrite /dot mxE; apply: eq_bigr => i _; rewrite mxE. Qed.

Lemma energyE x : energy x = \sum_i x 0 i ^+ 2.
Proof. by rewrite /energy dotE; apply: eq_bigr => i _; rewrite expr2. Qed.

Lemma dotC x y : dot x y = dot y x.
Proof. by rewrite !dotE; apply: eq_bigr => i _; rewrite mulrC. Qed.

Lemma dotDl x1 x2 y : dot (x1 + x2) y = dot x1 y + dot x2 y.
Proof. by rewrite /dot mulmxDl mxE. Qed.

Lemma dotBl x1 x2 y : dot (x1 - x2) y = dot x1 y - dot x2 y.
Proof. by rewrite /dot mulmxBl !mxE. Qed.

Lemma dotZl c x y : dot (c *: x) y = c * dot x y.
Proof. by rewrite /dot -scalemxAl mxE. Qed.

Lemma dotZr c x y : dot x (c *: y) = c * dot x y.
Proof. by rewrite dotC dotZl dotC. Qed.

Lemma dotBr x y1 y2 : dot x (y1 - y2) = dot x y1 - dot x y2.
Proof. by rewrite dotC dotBl !(dotC x). Qed.

Lemma dotDr x y1 y2 : dot x (y1 + y2) = dot x y1 + dot x y2.
Proof. by rewrite dotC dotDl !(dotC x). Qed.

Lemma dot_mul_r j x (A : 'M_(j, k)) (z : 'rV_j) : dot x (z *m A) = (x *m A^T *m z^T) 0 0.
Proof. by rewrite /dot trmx_mul mulmxA. Qed.

Lemma dot_sum (I J : finType) (a : I -> R) (b : J -> R) (x : I -> 'rV[R]_k) (y : J -> 'rV[R]_k) :
  dot (\sum_i a i *: x i) (\sum_j b j *: y j) = \sum_i \sum_j a i * b j * dot (x i) (y j).
Proof.
rewrite (big_morph (dot^~ _) (fun _ _ => dotDl _ _ _) (_ : dot 0 _ = 0)); last by rewrite /dot mul0mx mxE.
apply: eq_bigr => i _; rewrite dotZl (big_morph (dot _) (dotDr _) (_ : dot _ 0 = 0)) ?mulr_sumr.
  by apply: eq_bigr => j _; rewrite dotZr mulrA.
by rewrite /dot trmx0 mulmx0 mxE.
Qed.

Lemma energy_ge0 x : 0 <= energy x.
Proof. by rewrite energyE sumr_ge0 // => i _; rewrite sqr_ge0. Qed.

Lemma energy_eq0 x : energy x = 0 -> x = 0.
Proof.
rewrite energyE => /eqP; rewrite psumr_eq0 => [|i _]; last exact: sqr_ge0.
move=> /allP zero; apply/rowP=> i; rewrite mxE.
by move: (zero i (mem_index_enum i)); rewrite sqrf_eq0 => /eqP.
Qed.

Lemma energy_delta u : energy (delta_mx 0 u) = 1.
Proof. by rewrite /energy /dot trmx_delta mul_delta_mx mxE !eqxx. Qed.

Lemma dot_delta x u : dot x (delta_mx 0 u) = x 0 u.
Proof. by rewrite /dot trmx_delta -colE mxE. Qed.

(* The inequality of Cauchy and Schwarz. *)
Theorem cauchy_schwarz x y : dot x y ^+ 2 <= energy x * energy y.
Proof.
have [/eqP/energy_eq0-> |y0] := boolP (energy y == 0).
  by rewrite /energy /dot trmx0 !mulmx0 !mxE expr2 !mulr0.
have ypos : 0 < energy y by rewrite lt_def y0 energy_ge0.
have := energy_ge0 (energy y *: x - dot x y *: y).
rewrite /energy dotBl !dotBr !dotZl !dotZr (dotC y x) -!/(energy _).
set e := energy y; set f := energy x; set d := dot x y.
rewrite [X in 0 <= X](_ : _ = e * (f * e - d ^+ 2)); last by ring.
by rewrite pmulr_rge0 // subr_ge0.
Qed.

End Energy.

Section Projector.

Variable k : nat.

Definition gram m (A : 'M[R]_(m, k)) : 'M[R]_m := A *m A^T.

Lemma gram_of_independent_rows m (A : 'M[R]_(m, k)) : row_free A -> gram A \in unitmx.
Proof.
move=> free; rewrite -row_free_unit -kermx_eq0; apply/rowV0P => v /sub_kermxP vG.
apply/eqP; rewrite -(mulmx_free_eq0 _ free); apply/eqP/energy_eq0.
by rewrite /energy dot_mul_r -(mulmxA v) -/(gram A) vG mul0mx mxE.
Qed.

Lemma gram_symmetric m (A : 'M[R]_(m, k)) : (gram A)^T = gram A.
Proof. by rewrite /gram trmx_mul trmxK. Qed.

Definition onto m (B : 'M[R]_(m, k)) : 'M[R]_k := B^T *m invmx (gram B) *m B.

(* The orthogonal projector onto the span of the messages. *)
Definition projector m (A : 'M[R]_(m, k)) : 'M[R]_k := onto (row_base A).

Lemma onto_symmetric m (B : 'M[R]_(m, k)) : (onto B)^T = onto B.
Proof. by rewrite /onto !trmx_mul trmxK trmx_inv gram_symmetric mulmxA. Qed.

Lemma onto_below m (B : 'M[R]_(m, k)) : (onto B <= B)%MS.
Proof. exact: submxMl. Qed.

Lemma onto_fixes m p (B : 'M[R]_(m, k)) (X : 'M[R]_(p, k)) :
  row_free B -> (X <= B)%MS -> X *m onto B = X.
Proof.
move=> free /submxP[Y ->]; rewrite /onto !mulmxA -(mulmxA Y) -/(gram B).
by rewrite -(mulmxA Y) mulmxV ?gram_of_independent_rows // mulmx1.
Qed.

Lemma onto_unique m p (B : 'M[R]_(m, k)) (C : 'M[R]_(p, k)) :
  row_free B -> row_free C -> (B :=: C)%MS -> onto B = onto C.
Proof.
move=> fB fC eqBC.
have BC : onto B *m onto C = onto B by apply: onto_fixes => //; rewrite -eqBC onto_below.
have CB : onto C *m onto B = onto C by apply: onto_fixes => //; rewrite eqBC onto_below.
by rewrite -[LHS]onto_symmetric -BC trmx_mul !onto_symmetric.
Qed.

Lemma projector_symmetric m (A : 'M[R]_(m, k)) : (projector A)^T = projector A.
Proof. exact: onto_symmetric. Qed.

Lemma projector_below m (A : 'M[R]_(m, k)) : (projector A <= A)%MS.
Proof. by rewrite -(eq_row_base A) onto_below. Qed.

Lemma projector_fixes m p (A : 'M[R]_(m, k)) (X : 'M[R]_(p, k)) :
  (X <= A)%MS -> X *m projector A = X.
Proof. by move=> XA; rewrite onto_fixes ?row_base_free // eq_row_base. Qed.

Lemma projector_idempotent m (A : 'M[R]_(m, k)) : projector A *m projector A = projector A.
Proof. exact: projector_fixes (projector_below A). Qed.

End Projector.

Section AttacksAndAlibis.

Variables (m k : nat) (A : 'M[R]_(m, k)).
Implicit Types (z zeta : 'rV[R]_k) (c : 'rV[R]_m).

(* || Pi z ||^2: what the view A tells of a change z of the draws (of an input u: the draw that is added to it). *)
Definition leakage z : R := energy (z *m projector A).

(* An alibi of z: another change of the draws with which the view is the same. Its cost is its energy. *)
Definition alibi z zeta : Prop := A *m zeta^T = A *m z^T.

(* The strength of an attack: c are its coefficients on the messages. *)
Definition strength z c : R := dot (c *m A) z ^+ 2 / energy (c *m A).

Lemma leakageE z : leakage z = dot (z *m projector A) z.
Proof. by rewrite /leakage /energy /dot trmx_mul projector_symmetric mulmxA -(mulmxA z) projector_idempotent. Qed.

Lemma attack_sees_alibi z zeta c : alibi z zeta -> dot (c *m A) z = dot (c *m A) zeta.
Proof. by move=> same; rewrite /dot -!mulmxA same. Qed.

(* Every attack is at most every alibi, for any messages: one line of Cauchy and Schwarz. *)
Theorem attack_is_at_most_alibi z zeta c : alibi z zeta -> strength z c <= energy zeta.
Proof.
move=> same; have [e0|e0] := eqVneq (energy (c *m A)) 0.
  by rewrite /strength e0 invr0 mulr0 energy_ge0.
rewrite ler_pdivr_mulr ?lt_def ?e0 ?energy_ge0 // (attack_sees_alibi c same) mulrC.
exact: cauchy_schwarz.
Qed.

(* The projection of z is an alibi, and its cost is the leakage. *)
Theorem cheapest_alibi z : exists2 zeta, alibi z zeta & energy zeta = leakage z.
Proof.
exists (z *m projector A) => //.
by rewrite /alibi trmx_mul projector_symmetric mulmxA projector_fixes.
Qed.

(* Some attack is as strong as the leakage. *)
Theorem best_attack z : exists c, strength z c = leakage z.
Proof.
have /submxP[c cA] : (z *m projector A <= A)%MS by rewrite mulmx_sub ?projector_below.
exists c; rewrite /strength -cA -leakageE expr2 -/(leakage z).
by have [->|l0] := eqVneq (leakage z) 0; rewrite ?mul0r // mulfK.
Qed.

(* No attack is stronger than the leakage. *)
Theorem attack_is_at_most_leakage z c : strength z c <= leakage z.
Proof. by have [zeta same <-] := cheapest_alibi z; apply: attack_is_at_most_alibi. Qed.

(* No alibi is cheaper than the leakage. *)
Theorem leakage_is_at_most_alibi z zeta : alibi z zeta -> leakage z <= energy zeta.
Proof. by move=> same; have [c <-] := best_attack z; apply: attack_is_at_most_alibi. Qed.

(* Whatever row the observer can form from its messages is an attack. *)
Theorem what_is_formed_is_at_most_leakage z (r : 'rV[R]_k) :
  (r <= A)%MS -> dot r z ^+ 2 / energy r <= leakage z.
Proof. by case/submxP=> c ->; apply: attack_is_at_most_leakage. Qed.

(* Between an attack and an alibi of equal worth the leakage is exact. *)
Theorem equal_certificates_are_exact z zeta c :
  alibi z zeta -> energy zeta <= strength z c -> leakage z = strength z c.
Proof.
move=> same le; apply/le_anti; rewrite attack_is_at_most_leakage andbT.
exact: le_trans (leakage_is_at_most_alibi same) le.
Qed.

Lemma alibi_of_sum (I : finType) (d : I -> R) (z zeta : I -> 'rV[R]_k) :
  (forall i, alibi (z i) (zeta i)) -> alibi (\sum_i d i *: z i) (\sum_i d i *: zeta i).
Proof.
move=> same.
have lin (x : I -> 'rV[R]_k) : A *m (\sum_i d i *: x i)^T = \sum_i d i *: (A *m (x i)^T).
  rewrite (big_morph (fun y : 'rV_k => A *m y^T) (id1 := 0) (op1 := +%R)) ?trmx0 ?mulmx0 // => [|x1 x2].
    by apply: eq_bigr => i _; rewrite transpose_scaled scalemxAr.
  by rewrite linearD mulmxDr.
by rewrite /alibi !lin; apply: eq_bigr => i _; rewrite same.
Qed.

(* Several inputs, each changed by at most 1: with an alibi for each, at most the sum of all absolute inner products is lost. *)
Theorem group_is_at_most_its_alibis (I : finType) (d : I -> R) (z zeta : I -> 'rV[R]_k) :
  (forall i, alibi (z i) (zeta i)) -> (forall i, `|d i| <= 1) ->
  leakage (\sum_i d i *: z i) <= \sum_i \sum_j `|dot (zeta i) (zeta j)|.
Proof.
move=> same small; apply: le_trans (leakage_is_at_most_alibi (alibi_of_sum d same)) _.
rewrite /energy dot_sum; apply: ler_sum => i _; apply: ler_sum => j _; apply: le_trans (ler_norm _) _.
by rewrite normrM ler_pimull ?normr_ge0 // normrM mulr_ile1 ?normr_ge0.
Qed.

(* The same with a dual vector: if diag(lambda) - Q is positive semidefinite, Q the inner products, at most sum lambda is lost. *)
Theorem group_is_at_most_a_dual (I : finType) (d lambda : I -> R) (z zeta : I -> 'rV[R]_k) :
  (forall i, alibi (z i) (zeta i)) -> (forall i, `|d i| <= 1) -> (forall i, 0 <= lambda i) ->
  (forall x : I -> R, \sum_i \sum_j x i * x j * dot (zeta i) (zeta j) <= \sum_i lambda i * x i ^+ 2) ->
  leakage (\sum_i d i *: z i) <= \sum_i lambda i.
Proof.
move=> same small l0 dual; apply: le_trans (leakage_is_at_most_alibi (alibi_of_sum d same)) _.
rewrite /energy dot_sum; apply: le_trans (dual d) _; apply: ler_sum => i _.
by rewrite ler_pimulr // -real_normK ?num_real // expr_le1 ?normr_ge0.
Qed.

(* Vectors: every coordinate has draws of its own, and each input is changed by a vector of length at most 1. The bound is that of scalars. *)
Theorem vectors_lose_at_most_their_alibis (I : finType) p (d : I -> 'rV[R]_p) (z zeta : I -> 'rV[R]_k) :
  (forall i, alibi (z i) (zeta i)) -> (forall i, energy (d i) <= 1) ->
  \sum_c leakage (\sum_i d i 0 c *: z i) <= \sum_i \sum_j `|dot (zeta i) (zeta j)|.
Proof.
move=> same small; have bound (c : 'I_p) := leakage_is_at_most_alibi (alibi_of_sum (fun i => d i 0 c) same).
apply: (@le_trans _ _ (\sum_c energy (\sum_i d i 0 c *: zeta i))); [by apply: ler_sum => c _; exact: bound|rewrite /energy].
under eq_bigr do rewrite dot_sum.
rewrite exchange_big; apply: ler_sum => i _; rewrite exchange_big; apply: ler_sum => j _ /=.
rewrite -mulr_suml -dotE; apply: le_trans (ler_norm _) _; rewrite normrM ler_pimull ?normr_ge0 //.
rewrite -(@expr_le1 _ 2) ?normr_ge0 // real_normK ?num_real //.
by apply: le_trans (cauchy_schwarz _ _) _; rewrite mulr_ile1 ?energy_ge0.
Qed.

(* The same with a dual vector. *)
Theorem vectors_lose_at_most_a_dual (I : finType) p (d : I -> 'rV[R]_p) (lambda : I -> R) (z zeta : I -> 'rV[R]_k) :
  (forall i, alibi (z i) (zeta i)) -> (forall i, energy (d i) <= 1) -> (forall i, 0 <= lambda i) ->
  (forall x : I -> R, \sum_i \sum_j x i * x j * dot (zeta i) (zeta j) <= \sum_i lambda i * x i ^+ 2) ->
  \sum_c leakage (\sum_i d i 0 c *: z i) <= \sum_i lambda i.
Proof.
move=> same small l0 dual; have bound (c : 'I_p) := leakage_is_at_most_alibi (alibi_of_sum (fun i => d i 0 c) same).
apply: (@le_trans _ _ (\sum_c energy (\sum_i d i 0 c *: zeta i))); [by apply: ler_sum => c _; exact: bound|rewrite /energy].
under eq_bigr do rewrite dot_sum.
apply: (@le_trans _ _ (\sum_c \sum_i lambda i * d i 0 c ^+ 2)).
  by apply: ler_sum => c _; exact: (dual (fun i => d i 0 c)).
rewrite exchange_big; apply: ler_sum => i _ /=.
by rewrite -mulr_sumr -energyE ler_pimulr.
Qed.

(* For independent messages the leakage is a^T G^-1 a, with a the signal and G the Gram matrix. *)
Theorem leakage_of_independent_messages z : row_free A ->
  leakage z = ((A *m z^T)^T *m invmx (gram A) *m (A *m z^T)) 0 0.
Proof.
move=> free; rewrite leakageE /projector (@onto_unique _ _ _ _ A) ?row_base_free //; last exact: eq_row_base.
by rewrite /dot /onto trmx_mul trmxK !mulmxA.
Qed.

(* A leakage is at least 0. *)
Theorem leakage_is_nonnegative z : 0 <= leakage z.
Proof. exact: energy_ge0. Qed.

(* A leakage is at most what all draws in the clear would tell. *)
Theorem leakage_is_at_most_energy z : leakage z <= energy z.
Proof. exact: leakage_is_at_most_alibi. Qed.

(* One input never loses more than 1: local privacy. *)
Theorem leakage_is_at_most_one u : leakage (delta_mx 0 u) <= 1.
Proof. by rewrite -(energy_delta u) leakage_is_at_most_energy. Qed.

(* The leakages of all draws sum to the rank of the view. *)
Theorem leakages_sum_to_rank : \sum_u leakage (delta_mx 0 u) = (\rank A)%:R.
Proof.
transitivity (\tr (projector A)).
  apply: eq_bigr => u _; rewrite leakageE dot_delta.
  by rewrite -rowE mxE.
rewrite /projector /onto mxtrace_mulC mulmxA mulmxV ?mxtrace1 //.
exact: gram_of_independent_rows (row_base_free A).
Qed.

(* What no message depends on is not lost. *)
Theorem unseen_input_loses_nothing u : col u A = 0 -> leakage (delta_mx 0 u) = 0.
Proof.
move=> unseen; apply/le_anti; rewrite leakage_is_nonnegative andbT.
have <- : energy (0 : 'rV[R]_k) = 0 by rewrite /energy /dot mul0mx mxE.
by apply: leakage_is_at_most_alibi; rewrite /alibi trmx0 mulmx0 trmx_delta -colE unseen.
Qed.

(* What can be formed in the clear is lost entirely. *)
Theorem seen_input_loses_one u : ((delta_mx 0 u : 'rV_k) <= A)%MS -> leakage (delta_mx 0 u) = 1.
Proof. by move=> seen; rewrite /leakage projector_fixes ?energy_delta. Qed.

(* Of an observer who knows one draw, the leakages of the others sum to the rank less one. *)
Theorem other_leakages_sum_to_rank_less_one v : ((delta_mx 0 v : 'rV_k) <= A)%MS ->
  \sum_(u | u != v) leakage (delta_mx 0 u) = (\rank A)%:R - 1.
Proof.
by move=> known; rewrite -leakages_sum_to_rank [in RHS](bigD1 v) //= seen_input_loses_one // addrAC subrr add0r.
Qed.

End AttacksAndAlibis.

(* More messages never lower the leakage. *)
Theorem more_messages_never_lower_leakage m p k (A : 'M[R]_(m, k)) (B : 'M[R]_(p, k)) z :
  (A <= B)%MS -> leakage A z <= leakage B z.
Proof.
move=> /submxP[D ->]; have [zeta same <-] := cheapest_alibi B z.
by apply: leakage_is_at_most_alibi; rewrite /alibi -!mulmxA same.
Qed.

(* Leakage depends on the span of the messages alone. *)
Theorem leakage_depends_on_the_span m p k (A : 'M[R]_(m, k)) (B : 'M[R]_(p, k)) z :
  (A :=: B)%MS -> leakage A z = leakage B z.
Proof.
by move=> AB; apply/le_anti; rewrite !more_messages_never_lower_leakage // AB.
Qed.

(* What is computed from messages by a linear map loses at most what they lose. *)
Theorem postprocessing_never_raises_leakage m p k (A : 'M[R]_(m, k)) (C : 'M[R]_(p, m)) z :
  leakage (C *m A) z <= leakage A z.
Proof. exact: more_messages_never_lower_leakage (submxMl C A). Qed.

(* With draws of standard deviations s an alibi costs sum zeta^2/s^2; where s is 0 it cannot change anything. *)
Theorem leakage_is_at_most_scaled_alibi m k (A : 'M[R]_(m, k)) (s z zeta : 'rV[R]_k) :
  A *m zeta^T = A *m diag_mx s *m z^T -> (forall d, s 0 d = 0 -> zeta 0 d = 0) ->
  leakage (A *m diag_mx s) z <= \sum_d zeta 0 d ^+ 2 / s 0 d ^+ 2.
Proof.
move=> same still; pose xi := \row_d (zeta 0 d / s 0 d).
have -> : \sum_d zeta 0 d ^+ 2 / s 0 d ^+ 2 = energy xi.
  by rewrite energyE; apply: eq_bigr => d _; rewrite mxE expr_div_n.
apply: leakage_is_at_most_alibi; rewrite /alibi -same -mulmxA; congr (_ *m _).
apply/colP=> d; rewrite mul_diag_mx !mxE.
by have [s0|s0] := eqVneq (s 0 d) 0; [rewrite still // s0 mul0r | rewrite mulrC divfK].
Qed.

(* An attack on draws of standard deviations s: (c^T a)^2 over sum s^2 (A^T c)^2. *)
Theorem scaled_attack_is_at_most_leakage m k (A : 'M[R]_(m, k)) (s z : 'rV[R]_k) (c : 'rV[R]_m) :
  (c *m (A *m diag_mx s *m z^T)) 0 0 ^+ 2 / (\sum_d s 0 d ^+ 2 * (c *m A) 0 d ^+ 2) <= leakage (A *m diag_mx s) z.
Proof.
suff -> : \sum_d s 0 d ^+ 2 * (c *m A) 0 d ^+ 2 = energy (c *m (A *m diag_mx s)).
  have -> : (c *m (A *m diag_mx s *m z^T)) 0 0 = dot (c *m (A *m diag_mx s)) z by rewrite /dot !mulmxA.
  exact: attack_is_at_most_leakage.
by rewrite energyE mulmxA; apply: eq_bigr => d _; rewrite mul_mx_diag [in RHS]mxE exprMn mulrC.
Qed.

Section Gossip.

Variables (n : nat) (W : nat -> 'M[R]_n).
Implicit Types (hears : nat -> pred 'I_n) (known : pred 'I_n).

(* What is seen of T steps of gossip with noise at the start: who is heard when, and whose noise is known. *)
Definition view hears known (T : nat) : 'M[R]_n :=
  (\sum_(t < T) \sum_(w | hears t w) <<row w (mixing W t)>> + \sum_(v | known v) <<delta_mx 0 v : 'rV_n>>)%MS.

Lemma message_in_view hears known T t w :
  (t < T)%N -> hears t w -> (row w (mixing W t) <= view hears known T)%MS.
Proof.
move=> tT h; apply: submx_trans (addsmxSl _ _).
rewrite (sumsmx_sup (Ordinal tT)) //= (sumsmx_sup w) // genmxE submx_refl //.
Qed.

Lemma known_in_view hears known T v : known v -> ((delta_mx 0 v : 'rV_n) <= view hears known T)%MS.
Proof.
by move=> kv; apply: submx_trans (addsmxSr _ _); rewrite (sumsmx_sup v) // genmxE.
Qed.

Lemma view_below hears known T p (S : 'M[R]_(p, n)) :
  (forall t w, (t < T)%N -> hears t w -> (row w (mixing W t) <= S)%MS) ->
  (forall v, known v -> ((delta_mx 0 v : 'rV_n) <= S)%MS) -> (view hears known T <= S)%MS.
Proof.
move=> heard clear; rewrite addsmx_sub; apply/andP; split; last first.
  by apply/sumsmx_subP => v kv; rewrite genmxE clear.
apply/sumsmx_subP => t _; apply/sumsmx_subP => w h.
by rewrite genmxE heard.
Qed.

(* An alibi of a view: every message is the same, and no known draw is touched. *)
Theorem alibi_keeps_every_message hears known T z zeta :
  (forall t w, (t < T)%N -> hears t w -> dot (row w (mixing W t)) zeta = dot (row w (mixing W t)) z) ->
  (forall v, known v -> zeta 0 v = z 0 v) -> alibi (view hears known T) z zeta.
Proof.
move=> heard clear; apply/eqP; rewrite /alibi -subr_eq0 -mulmxBr -linearB /=; apply/eqP.
have zero r : dot r zeta = dot r z -> r *m (zeta - z)^T = 0.
  by move=> same; apply/matrixP=> i j; rewrite !ord1 [LHS]dotBr same subrr mxE.
apply/sub_kermxP; apply: view_below => [t w tT h|v kv]; apply/sub_kermxP; apply: zero.
  exact: heard.
by rewrite !(dotC (delta_mx 0 v)) !dot_delta clear.
Qed.

(* After t steps a value has come at most t edges far. *)
Theorem values_move_one_edge_a_step (edge : nat -> rel 'I_n) (edges : rel 'I_n) t w u :
  graph edges -> (forall s, gossip_matrix (edge s) (W s)) -> (forall s i j, edge s i j -> edges i j) ->
  ~~ within edges t u w -> mixing W t w u = 0.
Proof.
case=> both _ gW sub; elim: t w => [|t IH] w /=; first by rewrite mxE eq_sym => /negbTE->.
rewrite negb_or => /andP[far none]; rewrite mxE big1 // => j _.
have [<-|wj] := eqVneq w j; first by rewrite IH ?mulr0.
have [near|/IH->] := boolP (within edges t u j); last by rewrite mulr0.
case: (gW t) => _ _ -> //; rewrite ?mul0r //; apply: contra none => /sub wj'.
by apply/existsP; exists j; rewrite near both.
Qed.

(* Beyond distance T of everybody who is observed, nothing is lost: no message depends on the input. *)
Theorem beyond_reach_nothing_is_lost (edge : nat -> rel 'I_n) (edges : rel 'I_n) hears known T u :
  graph edges -> (forall s, gossip_matrix (edge s) (W s)) -> (forall s i j, edge s i j -> edges i j) ->
  (forall t w, (t < T)%N -> hears t w -> ~~ within edges t u w) -> ~~ known u ->
  leakage (view hears known T) (delta_mx 0 u) = 0.
Proof.
move=> g gW sub far secret; apply: unseen_input_loses_nothing.
pose e : 'cV[R]_n := delta_mx u 0; rewrite colE -/e.
apply/sub_kermxP; apply: view_below => [t w tT h|v kv]; apply/sub_kermxP.
  by apply/matrixP=> i j; rewrite !ord1 -colE !mxE (values_move_one_edge_a_step g gW sub) ?far.
rewrite mul_delta_mx_cond; case: eqVneq => [vu|_]; last by rewrite mulr0n.
by move: secret; rewrite -vu kv.
Qed.

(* At a distance of more than T from v nothing is lost to v. *)
Theorem beyond_distance_T_nothing_is_lost (edge : nat -> rel 'I_n) (edges : rel 'I_n) T u v :
  graph edges -> (forall s, gossip_matrix (edge s) (W s)) -> (forall s i j, edge s i j -> edges i j) ->
  ~~ within edges T u v -> leakage (view (fun t w => edge t w v) (pred1 v) T) (delta_mx 0 u) = 0.
Proof.
move=> g gW sub far.
have nearer d : (d <= T)%N -> ~~ within edges d u v.
  move=> dT; apply: contra far => near; rewrite -(subnK dT).
  by elim: (T - d)%N => //= e ->.
apply: (beyond_reach_nothing_is_lost g gW sub) => [t w tT /sub wv|].
  apply: contra (nearer _ tT) => /= uw; apply/orP; right.
  by apply/existsP; exists w; rewrite uw.
by rewrite /= -[u == v]/(within edges 0 u v) nearer.
Qed.

(* Who is heard at time 0 loses 1: neighbours have no privacy but their own noise. *)
Theorem neighbours_lose_one hears known T u :
  hears 0%N u -> (0 < T)%N -> leakage (view hears known T) (delta_mx 0 u) = 1.
Proof.
move=> h T0; apply: seen_input_loses_one.
by rewrite -row1; exact: (@message_in_view hears known T 0%N).
Qed.

Lemma rank_of_sum (I : finType) (P : pred I) (F : I -> 'M[R]_n) :
  (\rank (\sum_(i | P i) F i)%MS <= \sum_(i | P i) \rank (F i))%N.
Proof.
elim/big_rec2: _ => [|i y x _ le]; first by rewrite mxrank0.
by apply: leq_trans (mxrank_adds_leqif _ _) _; rewrite leq_add2l.
Qed.

Lemma rank_of_rows (P : pred 'I_n) (F : 'I_n -> 'rV[R]_n) :
  (\rank (\sum_(i | P i) <<F i>>)%MS <= #|P|)%N.
Proof.
apply: leq_trans (rank_of_sum _ _) _; rewrite -sum1_card leq_sum // => i _.
by rewrite genmxE rank_leq_row.
Qed.

(* The losses of all whose draws are not known sum to at most the number of messages: the paper's mean loss, for the true loss. *)
Theorem losses_sum_to_at_most_the_messages hears known T :
  \sum_(u | ~~ known u) leakage (view hears known T) (delta_mx 0 u) <= (\sum_(t < T) #|hears t|)%:R.
Proof.
have ranks := leakages_sum_to_rank (view hears known T); rewrite (bigID known) /= in ranks.
have clear : \sum_(u | known u) leakage (view hears known T) (delta_mx 0 u) = #|known|%:R.
  rewrite -sum1_card natr_sum; apply: eq_bigr => u ku.
  by rewrite seen_input_loses_one // known_in_view.
rewrite -(ler_add2l #|known|%:R) -{1}clear ranks -natrD ler_nat addnC.
apply: leq_trans (mxrank_adds_leqif _ _) _; apply: leq_add; last exact: rank_of_rows.
by apply: leq_trans (rank_of_sum _ _) _; apply: leq_sum => t _; apply: rank_of_rows.
Qed.

End Gossip.

End Leakage.
