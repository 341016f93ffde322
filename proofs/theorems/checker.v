(* A checker of certificates that computes with fractions, and the proof that what it accepts is true (SPEC 12, 13 and 15). *)
From Coq Require Import ZArith QArith Qabs.
From mathcomp Require Import all_ssreflect all_algebra.
From Muffliato Require Import gossip leakage refreshed absorption fractions protocol.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A number that goes with a time and a node; several of them add up. *)
Notation entries := (seq (nat * nat * Q)).

Definition lookup (l : entries) (t w : nat) : Q :=
  foldr (fun x rest => if (x.1.1 == t) && (x.1.2 == w) then add x.2 rest else rest) zero l.

Definition is_zero (q : Q) : bool := Qeq_bool q zero.

(* A statement about every time and every node. *)
Definition everywhere (p : protocol) (P : nat -> nat -> bool) : bool :=
  all (fun t => all (P t) (iota 0 (nodes p))) (iota 0 (size (steps p))).

Definition total p (f : nat -> nat -> Q) : Q := sum (fun t => sum (f t) (nodes p)) (size (steps p)).

Section Alibis.

Variables (p : protocol) (v : view_of).

(* Run the input of u at the time start forward: absorb what arrives where it would be heard, and the given shifts elsewhere. *)
Section OneInput.

Variables (start u : nat) (shifts : entries).

Definition arrival (mixed : seq Q) (t w : nat) : Q :=
  add (if (t == start) && (w == u) then one else zero) (nth zero mixed w).

Definition absorption_of (mixed : seq Q) (t w : nat) : Q :=
  if speaks p v t w then arrival mixed t w else lookup shifts t w.

Fixpoint mixed (t : nat) : seq Q :=
  if t is r.+1 then
    let before := mixed r in
    apply (nodes p) (table_at p r)
      (mkseq (fun w => sub (arrival before r w) (absorption_of before r w)) (nodes p))
  else [::].

Definition absorbed_rows : seq (seq Q) :=
  mkseq (fun t => let before := mixed t in mkseq (absorption_of before t) (nodes p)) (size (steps p)).

End OneInput.

(* Nothing is absorbed where there is no noise, or where the observers know it. *)
Definition may_absorb (z : seq (seq Q)) : bool :=
  everywhere p (fun t w => (is_zero (noise p t) || knows v w) ==> is_zero (entry z t w)).

Definition product (z z' : seq (seq Q)) : Q :=
  total p (fun t w => mul (mul (entry z t w) (entry z' t w)) (Qinv (mul (noise p t) (noise p t)))).

Variables (sources : seq nat) (alibi_for : nat -> nat -> entries).

Definition protected (t w : nat) : bool := is_input p t && (w \in sources).

Definition rows_for (t w : nat) : seq (seq Q) :=
  if protected t w then absorbed_rows t w (alibi_for t w) else [::].

Definition check_alibis (claim : Q) : bool :=
  let z := mkseq (fun t => mkseq (rows_for t) (nodes p)) (size (steps p)) in
  let at_input t w := nth [::] (nth [::] z t) w in
  [&& all (fun u => ~~ (u \in members v)) sources,
      everywhere p (fun t w => may_absorb (at_input t w)) &
      Qle_bool (total p (fun t w => total p (fun t' w' =>
        if protected t w && protected t' w' then Qabs (product (at_input t w) (at_input t' w')) else zero))) claim].

End Alibis.

Section AlibisAreSound.

Variables (R : realFieldType) (p : protocol) (v : view_of).

Local Notation n := (nodes p).
Local Notation T := (size (steps p)).

(* The view of the observers, as in refreshed.v. *)
Definition view_matrix : 'M[R]_(T * n) :=
  refreshed_view T (matrix_at R p) (deviation R p) (fun t w => speaks p v t w) (fun w => knows v w).

(* Inputs change by d, where they are protected. *)
Definition change (sources : seq nat) (d : 'M[R]_(T, n)) : 'rV[R]_(T * n) :=
  mxvec (\matrix_(t, w) (if protected p sources t w then d t w else 0)).

Lemma everywhereP P : everywhere p P -> forall (t : 'I_T) (w : 'I_n), P t w.
Proof.
move=> /allP all_t t w; have /all_t/allP all_w : (t : nat) \in iota 0 T by rewrite mem_iota /=.
by apply: all_w; rewrite mem_iota /=.
Qed.

Lemma meaning_total f : meaning R (total p f) = \sum_(t < T) \sum_(w < n) meaning R (f t w).
Proof. by rewrite meaning_sum; apply: eq_bigr => t _; rewrite meaning_sum. Qed.

Lemma noise_at_inputs t : is_input p t -> deviation R p t = 1.
Proof. by rewrite /deviation /noise => ->; rewrite meaning1. Qed.

Section OneInput.

Variables (start : 'I_T) (u : 'I_n) (shifts : entries).

Let z (t : nat) : 'cV[R]_n := \col_w (if (t < T)%N then meaning R (entry (absorbed_rows p v start u shifts) t w) else 0).

Lemma entry_absorbed_rows t (w : 'I_n) : (t < T)%N ->
  entry (absorbed_rows p v start u shifts) t w = absorption_of p v start u shifts (mixed p v start u shifts t) t w.
Proof. by move=> tT; rewrite /entry nth_mkseq // nth_mkseq. Qed.

Lemma arrivalE t : (t < T)%N -> refreshed.arriving (matrix_at R p) u start z t =
  \col_w meaning R (arrival start u (mixed p v start u shifts t) t w).
Proof.
have first t' (w : 'I_n) : (if t' == start :> nat then delta_mx u 0 else 0 : 'cV[R]_n) w 0 =
    meaning R (if (t' == start) && (w == u :> nat) then one else zero).
  by case: (t' == start) => /=; rewrite mxE ?meaning0 // eqxx andbT val_eqE; case: (w == u); rewrite ?meaning1 ?meaning0.
elim: t => [|t IH] tT /=; apply/colP=> w; rewrite [LHS]mxE first [RHS]mxE meaning_add; congr (_ + _).
  by rewrite mxE nth_nil meaning0.
rewrite IH ?(ltnW tT) //.
have -> : meaning R (nth zero (mixed p v start u shifts t.+1) w) = column R n (mixed p v start u shifts t.+1) w 0 by rewrite mxE.
rewrite [mixed _ _ _ _ _ t.+1]/= column_apply tables_are_the_matrices; congr ((_ *m _) w 0).
apply/colP=> j; rewrite !mxE nth_mkseq // meaning_sub (ltnW tT) entry_absorbed_rows ?(ltnW tT) //.
Qed.

(* What the checker absorbs is an alibi of the input. *)
Theorem checked_rows_are_an_alibi :
  may_absorb p v (absorbed_rows p v start u shifts) -> is_input p start -> ~~ knows v u ->
  alibi view_matrix (input_of R u start) (mxvec (absorbing T (deviation R p) z)).
Proof.
move=> /everywhereP ok input hidden.
have vanish t (w : 'I_n) : is_zero (noise p t) || knows v w -> z t w 0 = 0.
  rewrite mxE; case: ltnP => // tT none; apply: meaning_zero.
  by have := ok (Ordinal tT) w; rewrite /= none.
apply: absorbing_is_an_alibi => // [|t w tT sp|t w kw|t w st].
- exact: noise_at_inputs.
- by rewrite arrivalE // !mxE tT entry_absorbed_rows // /absorption_of sp.
- by apply: vanish; rewrite kw orbT.
- by apply: vanish; rewrite /is_zero (zero_meaning st).
Qed.

End OneInput.

Let zeta (shifts : entries) (t : 'I_T) (w : 'I_n) : 'rV[R]_(T * n) :=
  mxvec (absorbing T (deviation R p)
    (fun r => \col_j (if (r < T)%N then meaning R (entry (absorbed_rows p v t w shifts) r j) else 0))).

Lemma productE shifts shifts' (t t' : 'I_T) (w w' : 'I_n) :
  meaning R (product p (absorbed_rows p v t w shifts) (absorbed_rows p v t' w' shifts')) =
  dot (zeta shifts t w) (zeta shifts' t' w').
Proof.
rewrite absorbing_product meaning_total; apply: eq_bigr => r _; apply: eq_bigr => j _.
by rewrite !mxE ltn_ord !meaning_mul meaning_inv meaning_mul.
Qed.

(* What the checker of alibis accepts is true: whatever the protected inputs change by, at most 1 each, the leakage is at most the claim. *)
Theorem accepted_alibis_bound_the_leakage sources alibi_for claim (d : 'M[R]_(T, n)) :
  check_alibis p v sources alibi_for claim -> (forall t w, `|d t w| <= 1) ->
  leakage view_matrix (change sources d) <= meaning R claim.
Proof.
case/and3P=> /allP outside /everywhereP ok /(meaning_le R) le small.
have rows (t : 'I_T) (w : 'I_n) :
    nth [::] (nth [::] (mkseq (fun r => mkseq (rows_for p v sources alibi_for r) n) T) t) w =
    rows_for p v sources alibi_for t w by rewrite !nth_mkseq.
pose I := [finType of 'I_T * 'I_n].
pose input (i : I) := if protected p sources i.1 i.2 then input_of R i.2 i.1 else 0.
pose explain (i : I) := if protected p sources i.1 i.2 then zeta (alibi_for i.1 i.2) i.1 i.2 else 0.
have -> : change sources d = \sum_i d i.1 i.2 *: input i.
  rewrite /change (matrix_sum_delta (\matrix_(t, w) _)) pair_bigA linear_sum /=; apply: eq_bigr => -[t w] _ /=.
  by rewrite linearZ /= mxE /input /=; case: ifP => _; rewrite ?scale0r ?scaler0.
have explained i : alibi view_matrix (input i) (explain i).
  rewrite /input /explain; case: i => t w /=; case: ifP => // /[dup] safe /andP[is_in source].
  have := ok t w; rewrite rows /rows_for safe => may.
  apply: checked_rows_are_an_alibi => //; rewrite /knows (negbTE (outside _ source)) andbF //.
apply: le_trans le; apply: le_trans (group_is_at_most_its_alibis explained _) _ => [i|]; first exact: small.
rewrite meaning_total [leRHS]pair_bigA /=; apply: ler_sum => -[t w] _ /=.
rewrite meaning_total [leRHS]pair_bigA /=; apply: ler_sum => -[t' w'] _ /=.
rewrite /explain /= !rows /rows_for; case: (protected p sources t w); case: (protected p sources t' w') => /=.
- by rewrite meaning_abs productE.
- by rewrite /dot trmx0 mulmx0 mxE normr0 meaning0.
- by rewrite /dot mul0mx mxE normr0 meaning0.
- by rewrite /dot mul0mx mxE normr0 meaning0.
Qed.

End AlibisAreSound.

Section Attacks.

Variables (p : protocol) (v : view_of).

(* The states as sent, for given draws. *)
Fixpoint sent_row (omega : nat -> nat -> Q) (t : nat) : seq Q :=
  let before := if t is r.+1 then apply (nodes p) (table_at p r) (sent_row omega r) else [::] in
  mkseq (fun w => add (mul (noise p t) (omega t w)) (nth zero before w)) (nodes p).

(* A statistic of the view: coefficients of messages, and of the observers' own noise. *)
Definition statistic (messages own : entries) (omega : nat -> nat -> Q) : Q :=
  let rows := mkseq (sent_row omega) (size (steps p)) in
  add (foldr (fun x s => add (mul x.2 (entry rows x.1.1 x.1.2)) s) zero messages)
      (foldr (fun x s => add (mul x.2 (mul (noise p x.1.1) (omega x.1.1 x.1.2))) s) zero own).

Definition unit_draw (t w : nat) : nat -> nat -> Q := fun r j => if (r == t) && (j == w) then one else zero.

Definition in_range (x : nat * nat * Q) : bool := (x.1.1 < size (steps p))%N && (x.1.2 < nodes p)%N.

Definition square (q : Q) : Q := mul q q.

Definition check_attack (sources : seq nat) (changes messages own : entries) (claim : Q) : bool :=
  [&& all (fun x => in_range x && protected p sources x.1.1 x.1.2) changes,
      everywhere p (fun t w => Qle_bool (Qabs (lookup changes t w)) one),
      all (fun x => in_range x && speaks p v x.1.1 x.1.2) messages,
      all (fun x => in_range x && knows v x.1.2) own &
      Qle_bool claim (mul (square (statistic messages own (lookup changes)))
        (Qinv (total p (fun t w => square (statistic messages own (unit_draw t w))))))].

End Attacks.

Section AttacksAreSound.

Variables (R : realFieldType) (p : protocol) (v : view_of).

Local Notation n := (nodes p).
Local Notation T := (size (steps p)).
Local Notation draws := 'M[R]_(T, n).

Let sent_to := @sent R n T (matrix_at R p) (deviation R p).
Let component (x : 'cV[R]_n) (w : nat) : R := if insub w is Some i then x i 0 else 0.
Let message (x : nat * nat * Q) (omega : draws) : R := component (sent_to omega x.1.1) x.1.2.
Let own_draw (x : nat * nat * Q) (omega : draws) : R := deviation R p x.1.1 * component (draw omega x.1.1) x.1.2.
Let statistic_of (messages own : entries) (omega : draws) : R :=
  \sum_(x <- messages) meaning R x.2 * message x omega + \sum_(x <- own) meaning R x.2 * own_draw x omega.
Let draws_of (omega : nat -> nat -> Q) : draws := \matrix_(t, w) meaning R (omega t w).

Lemma component_column x w : (w < n)%N -> component (column R n x) w = meaning R (nth zero x w).
Proof. by move=> wn; rewrite /component insubT mxE. Qed.

Lemma draw_of omega t (w : 'I_n) : (t < T)%N -> draw (draws_of omega) t w 0 = meaning R (omega t w).
Proof. by move=> tT; rewrite /draw insubT !mxE. Qed.

Lemma sent_rowE omega t : (t < T)%N -> sent_to (draws_of omega) t = column R n (sent_row p omega t).
Proof.
rewrite /sent_to; elim: t => [|t IH] tT /=; apply/colP=> w;
  rewrite [LHS]mxE [RHS]mxE nth_mkseq // meaning_add meaning_mul [X in X + _]mxE draw_of //; congr (_ + _).
  by rewrite nth_nil meaning0 mxE.
by rewrite IH ?(ltnW tT) // -tables_are_the_matrices -column_apply [LHS]mxE.
Qed.

Lemma statisticE messages own omega :
  all (fun x => in_range p x && speaks p v x.1.1 x.1.2) messages -> all (fun x => in_range p x && knows v x.1.2) own ->
  meaning R (statistic p messages own omega) = statistic_of messages own (draws_of omega).
Proof.
move=> heard known; rewrite /statistic meaning_add; congr (_ + _).
  elim: messages heard => [|x l IH] /=; first by rewrite big_nil meaning0.
  case/andP=> /andP[/andP[tT wn] _] /IH {}IH; rewrite big_cons meaning_add IH meaning_mul; congr (_ * _ + _).
  by rewrite /message sent_rowE // component_column // /entry nth_mkseq.
elim: own known => [|x l IH] /=; first by rewrite big_nil meaning0.
case/andP=> /andP[/andP[tT wn] _] /IH {}IH; rewrite big_cons meaning_add IH !meaning_mul; congr (_ * (_ * _) + _).
by rewrite /component insubT (draw_of _ (Ordinal wn)).
Qed.

Lemma component_linear a x y w : component (a *: x + y) w = a * component x w + component y w.
Proof. by rewrite /component; case: insub => [i|]; rewrite ?mxE // mulr0 addr0. Qed.

Lemma message_linear x : scalar (message x).
Proof. by move=> a y z; rewrite /message /sent_to sent_linear component_linear. Qed.

Lemma own_draw_linear x : scalar (own_draw x).
Proof. by move=> a y z; rewrite /own_draw draw_linear component_linear mulrDr mulrCA. Qed.

Lemma sum_linear (l : entries) (f : nat * nat * Q -> draws -> R) :
  (forall x, scalar (f x)) -> scalar (fun omega => \sum_(x <- l) meaning R x.2 * f x omega).
Proof.
move=> lin a y z; rewrite mulr_sumr -big_split; apply: eq_bigr => x _ /=.
by rewrite lin mulrDr mulrCA.
Qed.

Lemma statistic_linear messages own : scalar (statistic_of messages own).
Proof.
move=> a y z; rewrite /statistic_of (sum_linear messages message_linear) (sum_linear own own_draw_linear).
by rewrite mulrDr addrACA.
Qed.

Lemma sum_in_view (P : pred (nat * nat * Q)) (l : entries) (f : nat * nat * Q -> draws -> R) :
  all P l -> (forall x, P x -> (coefficients (f x) <= view_matrix R p v)%MS) ->
  (coefficients (fun omega => \sum_(x <- l) meaning R x.2 * f x omega)%R <= view_matrix R p v)%MS.
Proof.
move=> all_P in_view; elim: l all_P => [_|x l IH /= /andP[Px /IH {}IH]].
  have -> : coefficients (fun omega => \sum_(x <- [::]) meaning R x.2 * f x omega) = 0 :> 'rV[R]_(T * n).
    by rewrite /coefficients -[RHS](linear0 (@mxvec_linear _ _ _)) /=; congr mxvec; apply/matrixP=> i j; rewrite !mxE big_nil.
  exact: sub0mx.
have -> : coefficients (fun omega => \sum_(y <- x :: l) meaning R y.2 * f y omega) =
    meaning R x.2 *: coefficients (f x) + coefficients (fun omega => \sum_(y <- l) meaning R y.2 * f y omega).
  by rewrite /coefficients -linearP /=; congr mxvec; apply/matrixP=> i j; rewrite !mxE big_cons.
by rewrite addmx_sub ?scalemx_sub ?in_view.
Qed.

Lemma statistic_in_view messages own :
  all (fun x => in_range p x && speaks p v x.1.1 x.1.2) messages -> all (fun x => in_range p x && knows v x.1.2) own ->
  (coefficients (statistic_of messages own) <= view_matrix R p v)%MS.
Proof.
move=> heard known.
have -> : coefficients (statistic_of messages own) =
    coefficients (fun omega => \sum_(x <- messages) meaning R x.2 * message x omega) +
    coefficients (fun omega => \sum_(x <- own) meaning R x.2 * own_draw x omega).
  by rewrite /coefficients -linearD /=; congr mxvec; apply/matrixP=> i j; rewrite !mxE.
apply: addmx_sub; [apply: sum_in_view heard _|apply: sum_in_view known _] => x /andP[/andP[tT wn] ok].
  apply: submx_trans (addsmxSl _ _); rewrite (sumsmx_sup (Ordinal tT)) // (sumsmx_sup (Ordinal wn)) // genmxE.
  have -> : coefficients (message x) = coefficients (fun omega : draws => sent_to omega (Ordinal tT) (Ordinal wn) 0).
    by congr mxvec; apply/matrixP=> i j; rewrite !mxE /message /component insubT.
  exact: submx_refl.
apply: submx_trans (addsmxSr _ _); rewrite (sumsmx_sup (Ordinal tT)) // (sumsmx_sup (Ordinal wn)) // genmxE.
have -> : coefficients (own_draw x) = deviation R p x.1.1 *: coefficients (fun omega : draws => omega (Ordinal tT) (Ordinal wn)).
  rewrite /coefficients -linearZ /=; congr mxvec; apply/matrixP=> i j.
  by rewrite !mxE /own_draw /component insubT /draw insubT !mxE.
exact: scalemx_sub.
Qed.

(* What the checker of attacks accepts is true: for some change of the protected inputs, at most 1 each, the leakage is at least the claim. *)
Theorem accepted_attacks_are_leakage sources changes messages own claim :
  check_attack p v sources changes messages own claim ->
  exists2 d : draws, (forall t w, `|d t w| <= 1) & meaning R claim <= leakage (view_matrix R p v) (change sources d).
Proof.
case/and5P=> in_sources /everywhereP small heard known /(meaning_le R) le.
exists (draws_of (lookup changes)) => [t w|]; first by rewrite mxE -meaning_abs -(meaning1 R) meaning_le ?small.
apply: le_trans le _; rewrite meaning_mul meaning_inv.
have -> : change sources (draws_of (lookup changes)) = mxvec (draws_of (lookup changes)).
  congr mxvec; apply/matrixP=> t w; rewrite !mxE; case safe : (protected p sources t w) => //.
  suff none (l : entries) : all (fun x => in_range p x && protected p sources x.1.1 x.1.2) l -> meaning R (lookup l t w) = 0.
    by rewrite (none _ in_sources).
  elim: l => [|x l IH] /=; first by rewrite meaning0.
  case/andP=> /andP[_ ok] /IH {}IH; case: ifP => // /andP[/eqP xt /eqP xw].
  by move: ok; rewrite xt xw safe.
have signal := statisticE (lookup changes) heard known.
have -> : meaning R (square (statistic p messages own (lookup changes))) =
    dot (coefficients (statistic_of messages own)) (mxvec (draws_of (lookup changes))) ^+ 2.
  by rewrite meaning_mul signal coefficientsE ?expr2 //; exact: statistic_linear.
have -> : meaning R (total p (fun t w => square (statistic p messages own (unit_draw t w)))) =
    energy (coefficients (statistic_of messages own)).
  rewrite meaning_total /energy dot_mxvec; apply: eq_bigr => t _; apply: eq_bigr => w _.
  rewrite meaning_mul statisticE // !mxE.
  suff -> : draws_of (unit_draw t w) = delta_mx t w by [].
  by apply/matrixP=> i j; rewrite !mxE /unit_draw !val_eqE; case: (_ && _); rewrite ?meaning1 ?meaning0.
exact: what_is_formed_is_at_most_leakage (statistic_in_view heard known).
Qed.

End AttacksAreSound.

Section AbsorptionOnFile.

Variables (p : protocol) (members : seq nat) (sources : seq nat) (constants : seq Q) (fractions : entries).

(* How much a step can stretch a deviation: the constant of the node at inputs, 1 at other times. *)
Definition stretch (t w : nat) : Q := if is_input p t then nth one constants w else one.

Definition arrives (deviating : seq Q) (t w : nat) : Q :=
  add (mul (stretch t w) (nth zero deviating w)) (if protected p sources t w then one else zero).

Definition absorbs (deviating : seq Q) (t w : nat) : Q :=
  if w \in members then zero else mul (lookup fractions t w) (arrives deviating t w).

Definition leaves (deviating : seq Q) (t w : nat) : Q :=
  if w \in members then zero else mul (sub one (lookup fractions t w)) (arrives deviating t w).

Fixpoint deviations (t : nat) : seq Q :=
  if t is r.+1 then
    let before := deviations r in
    apply (nodes p) (map (map Qabs) (table_at p r)) (mkseq (leaves before r) (nodes p))
  else [::].

Definition check_absorption (claim : Q) : bool :=
  let rows := mkseq deviations (size (steps p)) in
  let deviating t := nth [::] rows t in
  let v := ViewOf members true in
  [&& all (Qle_bool zero) constants,
      everywhere p (fun t w => Qle_bool zero (lookup fractions t w) && Qle_bool (lookup fractions t w) one),
      everywhere p (fun t w => speaks p v t w ==> is_zero (leaves (deviating t) t w)),
      everywhere p (fun t w => is_zero (noise p t) ==> is_zero (absorbs (deviating t) t w)) &
      Qle_bool (total p (fun t w => mul (square (absorbs (deviating t) t w)) (Qinv (square (noise p t))))) claim].

End AbsorptionOnFile.

Section AbsorptionIsSound.

Variables (R : realFieldType) (p : protocol) (members sources : seq nat) (constants : seq Q) (fractions : entries).

Local Notation n := (nodes p).
Local Notation T := (size (steps p)).
Local Notation v := (ViewOf members true).

(* The protocol of absorption.v: plain gossip with the matrices of the file. *)
Definition mix_on_file (t s : nat) (w j : 'I_n) : R := if t == s.+1 then matrix_at R p s w j else 0.
Definition speaks_on_file (t : nat) (w : 'I_n) : bool := speaks p v t w.
Definition observes (w : 'I_n) : bool := (w : nat) \in members.
Definition constant_on_file (t : nat) (w : 'I_n) : R := meaning R (stretch p constants t w).
Definition jump_on_file (t : nat) (w : 'I_n) : R := (protected p sources t w)%:R.

Let theta (t : nat) (w : 'I_n) : R := if (t < T)%N then meaning R (lookup fractions t w) else 0.
Let left := left_over mix_on_file observes constant_on_file jump_on_file theta.
Let arriving := absorption.arriving mix_on_file constant_on_file jump_on_file.
Let row := deviations p members sources constants fractions.

Lemma entry_abs (M : seq (seq Q)) i j : entry (map (map Qabs) M) i j = Qabs (entry M i j).
Proof.
rewrite /entry; case: (ltnP i (size M)) => [iM|Mi]; last first.
  by rewrite [nth [::] (map _ _) i]nth_default ?size_map // [nth [::] M i]nth_default // nth_nil.
rewrite (nth_map [::]) //; case: (ltnP j (size (nth [::] M i))) => [jM|Mj]; last first.
  by rewrite [nth zero (map _ _) j]nth_default ?size_map // [nth zero _ j]nth_default.
by rewrite (nth_map zero).
Qed.

Lemma arrivesE t w : (t < T)%N -> arriving (left t) w = meaning R (arrives p sources constants (row t) t w).
Proof.
elim: t w => [|t IH] w tT; rewrite /arriving /absorption.arriving size_left_over /arrives meaning_add meaning_mul.
  congr (_ * _ + _); last by rewrite /jump_on_file; case: protected; rewrite ?meaning1 ?meaning0.
  by rewrite /deviating big_ord0 nth_nil meaning0.
congr (_ * _ + _); last by rewrite /jump_on_file; case: protected; rewrite ?meaning1 ?meaning0.
rewrite /deviating size_left_over big_ord_recr big1 ?add0r => [|s _] /=; last first.
  apply: big1 => j _; rewrite /mix_on_file eqSS gtn_eqF ?ltn_ord // normr0 mul0r //.
rewrite add0r nth_mkseq // meaning_sum; apply: eq_bigr => j _.
rewrite /mix_on_file eqxx meaning_mul entry_abs meaning_abs; congr (`|_| * _).
  by rewrite -tables_are_the_matrices mxE.
rewrite -[LHS]/(fraction_left mix_on_file observes constant_on_file jump_on_file theta t j) fraction_leftE nth_mkseq // /leaves /observes.
case: ifP => _; first by rewrite meaning0.
by rewrite meaning_mul meaning_sub meaning1 -IH ?(ltnW tT) // /theta (ltnW tT).
Qed.

(* What the checker of absorption accepts is true, for all steps with the given Lipschitz constants in any normed space, whatever
   the observers send, and any loss with adaptive composition. *)
Theorem accepted_absorption_bounds_the_loss (X : lmodType R) (norm : X -> R) offset strategy F1 F2 loss claim :
  (forall x y, norm (x + y) <= norm x + norm y) -> (forall a x, norm (a *: x) = `|a| * norm x) ->
  (forall x, norm x = 0 -> x = 0) ->
  check_absorption p members sources constants fractions claim ->
  lipschitz norm observes constant_on_file F2 -> close norm observes jump_on_file F1 F2 ->
  adaptive_composition norm T (fun t _ => deviation R p t) loss ->
  loss (absorption.view offset mix_on_file observes speaks_on_file strategy F1 ^~ T)
       (absorption.view offset mix_on_file observes speaks_on_file strategy F2 ^~ T) <= meaning R claim.
Proof.
move=> triangle scaled definite /and5P[c0 /everywhereP theta01 /everywhereP heard /everywhereP noise_needed /(meaning_le R) le].
move=> lip near composition.
have rows t : (t < T)%N -> nth [::] (mkseq (deviations p members sources constants fractions) T) t = row t.
  by move=> tT; rewrite nth_mkseq.
pose z := fraction_absorbed mix_on_file observes constant_on_file jump_on_file theta.
have zE t w : (t < T)%N -> z t w = meaning R (absorbs p members sources constants fractions (row t) t w).
  move=> tT; rewrite /z /fraction_absorbed /absorbs /observes; case: ifP => _; first by rewrite meaning0.
  by rewrite meaning_mul -arrivesE // /theta tT.
have late t w : (T <= t)%N -> z t w = 0.
  by move=> Tt; rewrite /z /fraction_absorbed /theta ltnNge Tt mul0r; case: ifP.
have is_plan : plan mix_on_file observes speaks_on_file constant_on_file jump_on_file
    (fun t => deviating mix_on_file (left t)) (fun t => arriving (left t)) z
    (fraction_left mix_on_file observes constant_on_file jump_on_file theta).
  { apply: fractions_are_a_plan => [t w|t w|t w|t w].
  - rewrite /constant_on_file /stretch; case: ifP => _; last by rewrite meaning1 ler01.
    case: (ltnP w (size constants)) => wc; last by rewrite nth_default // meaning1 ler01.
    by rewrite -(meaning0 R) meaning_le // (all_nthP one c0).
  - exact: ler0n.
  - rewrite /theta; case: ltnP => tT; last by rewrite lexx ler01.
    by have /andP[lo hi] := theta01 (Ordinal tT) w; rewrite -{1}(meaning0 R) -(meaning1 R) !meaning_le.
  - rewrite /speaks_on_file => sp ob; case: (ltnP t T) => tT; last first.
      move: sp; rewrite /speaks /step_at nth_default //= => /andP[_ /hasP[]] //.
    have := heard (Ordinal tT) w; rewrite /= sp rows //= => /(meaning_zero R).
    rewrite fraction_leftE /leaves (negbTE ob) -[(w : nat) \in members]/(observes w) (negbTE ob).
    by rewrite meaning_mul meaning_sub meaning1 -arrivesE // /theta tT. }
have bound := @absorption_bound _ _ _ _ triangle scaled definite offset _ _ _ strategy F1 F2 _ _ _ _ _ _ _ _ _ is_plan lip near.
apply: le_trans (bound _ _ _ _ composition) _ => [t w dev0|].
  case: (ltnP t T) => tT; last exact: late.
  rewrite zE //; apply: meaning_zero; have := noise_needed (Ordinal tT) w.
  by rewrite /= /is_zero (zero_meaning dev0) rows.
apply: le_trans le; rewrite meaning_total le_eqVlt; apply/orP; left; apply/eqP.
apply: eq_bigr => t _; apply: eq_bigr => w _.
by rewrite zE // rows // !meaning_mul meaning_inv meaning_mul.
Qed.

End AbsorptionIsSound.

(* What proves a claim, as in the files: alibis by time and node of the input, an attack by inputs, messages and own noise, or
   Lipschitz constants and fractions that absorb. *)
Inductive proof :=
  | Alibis of seq (nat * nat * entries)
  | Attack of entries & entries & entries
  | Absorption of seq Q & entries.

Record certificate := Certificate {
  on : protocol;
  towards : view_of;
  about : seq nat;
  at_most : bool;
  claim : Q;
  because : proof }.

(* At least one source, in increasing order, each a node that does not observe. *)
Definition sensible (c : certificate) : bool :=
  [&& about c != [::], sorted ltn (about c) &
      all (fun u => (u < nodes (on c))%N && (u \notin members (towards c))) (about c)].

Definition check (c : certificate) : bool :=
  sensible c &&
  match because c, at_most c with
  | Alibis given, true =>
      let alibi_for t w := flatten [seq x.2 | x <- given & (x.1.1 == t) && (x.1.2 == w)] in
      check_alibis (on c) (towards c) (about c) alibi_for (claim c)
  | Attack changes messages own, false => check_attack (on c) (towards c) (about c) changes messages own (claim c)
  | Absorption constants fractions, true =>
      check_absorption (on c) (members (towards c)) (about c) constants fractions (claim c)
  | _, _ => false
  end.

(* What a certificate says. *)
Definition says (R : realFieldType) (c : certificate) : Prop :=
  let p := on c in
  match because c with
  | Alibis _ =>
      forall d : 'M[R]_(size (steps p), nodes p), (forall t w, `|d t w| <= 1) ->
      leakage (view_matrix R p (towards c)) (change (about c) d) <= meaning R (claim c)
  | Attack _ _ _ =>
      exists2 d : 'M[R]_(size (steps p), nodes p), (forall t w, `|d t w| <= 1) &
      meaning R (claim c) <= leakage (view_matrix R p (towards c)) (change (about c) d)
  | Absorption constants _ =>
      let who := @observes p (members (towards c)) in
      let view := fun (X : lmodType R) offset => @absorption.view R X (nodes p) offset (@mix_on_file R p) who
        (@speaks_on_file p (members (towards c))) in
      forall (X : lmodType R) (norm : X -> R) offset strategy F1 F2 loss,
      (forall x y, norm (x + y) <= norm x + norm y) -> (forall a x, norm (a *: x) = `|a| * norm x) ->
      (forall x, norm x = 0 -> x = 0) ->
      lipschitz norm who (@constant_on_file R p constants) F2 -> close norm who (@jump_on_file R p (about c)) F1 F2 ->
      adaptive_composition norm (size (steps p)) (fun t _ => deviation R p t) loss ->
      loss (view X offset strategy F1 ^~ (size (steps p))) (view X offset strategy F2 ^~ (size (steps p))) <= meaning R (claim c)
  end.

(* The checker is sound: what it accepts is true, over every ordered field. *)
Theorem accepted_certificates_are_true R c : check c -> says R c.
Proof.
case: c => p v sources upper claim why; rewrite /check /says /= => /andP[_].
case: why => [given|changes messages own|constants fractions]; case: upper => //= ok.
- by move=> d small; apply: accepted_alibis_bound_the_leakage ok small.
- exact: accepted_attacks_are_leakage ok.
- move=> X norm offset strategy F1 F2 loss triangle scaled definite lip near composition.
  exact: accepted_absorption_bounds_the_loss triangle scaled definite ok lip near composition.
Qed.
