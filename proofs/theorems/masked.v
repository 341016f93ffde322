(* Masked gossip (SPEC 14): neighbours share draws that cancel in the sum. The leakage of everything that is computed from
   the masked states is at most an entry of (I + kappa^2 L)^-1, the cost of the cheapest flow. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Muffliato Require Import gossip leakage.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Masked.

Variable R : realFieldType.

Lemma dot_row_mx k l (x y : 'rV[R]_k) (a b : 'rV[R]_l) : dot (row_mx x a) (row_mx y b) = dot x y + dot a b.
Proof. by rewrite /dot tr_row_mx mul_row_col mxE. Qed.

Lemma dot_form k (A : 'M[R]_k) x y : (x *m A *m y^T) 0 0 = dot (x *m A) y.
Proof. by []. Qed.

Lemma sum_le0 (I : finType) (F : I -> R) : (forall i, true -> F i <= 0) -> \sum_i F i <= 0.
Proof. by move=> le; rewrite -oppr_ge0 -sumrN sumr_ge0 // => i _; rewrite oppr_ge0 le. Qed.

Section Flows.

Variables (n e : nat) (kappa : R) (D : 'M[R]_(e, n)).
Implicit Types (z x y : 'rV[R]_n) (flow : 'rV[R]_e).

(* Each row of D is a mask: 1 at the node that adds it, -1 at the node that subtracts it. *)
Definition is_mask (d : 'rV[R]_n) (a b : 'I_n) : Prop := d = delta_mx 0 a - delta_mx 0 b.

Definition masks : Prop := forall i, exists a b, is_mask (row i D) a b.

(* The Laplacian of the mask graph. *)
Definition laplacian : 'M[R]_n := D^T *m D.

Definition stiffness : 'M[R]_n := 1%:M + kappa ^+ 2 *: laplacian.

(* (I + kappa^2 L)^-1 *)
Definition response : 'M[R]_n := invmx stiffness.

(* The states after the injection, in the draws of the nodes and of the masks. *)
Definition masked_states : 'M[R]_(n, n + e) := row_mx 1%:M (kappa *: D^T).

(* A change of inputs goes where the draws of the nodes go. *)
Definition inputs z : 'rV[R]_(n + e) := row_mx z 0.

(* The cost of a flow: what leaves through the nodes, squared, and what goes along masks, squared, over kappa^2. *)
Definition flow_cost z flow : R := energy (z - flow *m D) + energy flow / kappa ^+ 2.

Lemma gram_masked_states : gram masked_states = stiffness.
Proof.
rewrite /gram /masked_states tr_row_mx mul_row_col trmx1 mulmx1 transpose_scaled trmxK.
by rewrite -scalemxAl -scalemxAr scalerA /stiffness expr2.
Qed.

Lemma masked_states_free : row_free masked_states.
Proof.
by apply/row_freeP; exists (col_mx 1%:M 0); rewrite mul_row_col mulmx1 mulmx0 addr0.
Qed.

Lemma stiffness_unit : stiffness \in unitmx.
Proof. by rewrite -gram_masked_states gram_of_independent_rows ?masked_states_free. Qed.

Lemma stiffness_symmetric : stiffness^T = stiffness.
Proof. by rewrite -gram_masked_states gram_symmetric. Qed.

Lemma response_symmetric : response^T = response.
Proof. by rewrite /response trmx_inv stiffness_symmetric. Qed.

Lemma responseK z : z *m response *m stiffness = z.
Proof. by rewrite -mulmxA mulVmx ?mulmx1 ?stiffness_unit. Qed.

Lemma stiffness_form x : dot (x *m stiffness) x = energy x + kappa ^+ 2 * energy (x *m D^T).
Proof.
rewrite /stiffness mulmxDr mulmx1 -scalemxAr dotDl dotZl; congr (_ + _ * _).
by rewrite /energy /dot /laplacian trmx_mul trmxK !mulmxA.
Qed.

Lemma states_of_inputs z : masked_states *m (inputs z)^T = z^T.
Proof. by rewrite tr_row_mx mul_row_col mul1mx trmx0 mulmx0 addr0. Qed.

(* The leakage of the masked states is the quadratic form of (I + kappa^2 L)^-1. *)
Theorem masked_leakage z : leakage masked_states (inputs z) = dot (z *m response) z.
Proof.
by rewrite leakage_of_independent_messages ?masked_states_free // states_of_inputs trmxK gram_masked_states.
Qed.

(* One input loses the diagonal entry of (I + kappa^2 L)^-1. *)
Theorem masked_leakage_of_one_input u : leakage masked_states (inputs (delta_mx 0 u)) = response u u.
Proof. by rewrite masked_leakage dot_delta -rowE mxE. Qed.

(* Every flow is an upper bound. *)
Theorem every_flow_bounds_the_leakage z flow :
  kappa != 0 -> leakage masked_states (inputs z) <= flow_cost z flow.
Proof.
move=> k0; pose zeta := row_mx (z - flow *m D) (kappa^-1 *: flow).
have -> : flow_cost z flow = energy zeta.
  by rewrite /flow_cost /energy dot_row_mx dotZl dotZr mulrA -expr2 exprVn mulrC.
apply: leakage_is_at_most_alibi; rewrite /alibi states_of_inputs /zeta tr_row_mx mul_row_col mul1mx.
rewrite transpose_scaled -scalemxAl -scalemxAr scalerA divff // scale1r -trmx_mul -linearD /=.
by rewrite subrK.
Qed.

(* Some flow costs exactly the leakage: Thomson's principle. *)
Theorem cheapest_flow z : kappa != 0 -> exists flow, flow_cost z flow = leakage masked_states (inputs z).
Proof.
move=> k0; pose y := z *m response; exists (kappa ^+ 2 *: (y *m D^T)); rewrite /flow_cost.
have -> : kappa ^+ 2 *: (y *m D^T) *m D = y *m stiffness - y.
  by rewrite /stiffness mulmxDr mulmx1 addrC addKr -scalemxAl -scalemxAr mulmxA.
rewrite responseK subKr masked_leakage -/y -[X in dot _ X](responseK z) -/y dotC stiffness_form.
congr (_ + _); rewrite /energy dotZl dotZr -/(energy _).
by rewrite mulrAC divff ?mul1r // expf_neq0.
Qed.

(* At any y the form a A^-1 a is at most 2 a y - y A y and the squared length of a - A y, with A = I + kappa^2 L: an upper end
   from any approximate solution. *)
Theorem response_is_at_most_any_trial z y :
  dot (z *m response) z <= 2%:R * dot z y - dot (y *m stiffness) y + energy (z - y *m stiffness).
Proof.
set r := z - y *m stiffness.
have rr : dot (r *m response) r <= energy r.
  rewrite -masked_leakage (le_trans (leakage_is_at_most_energy _ _)) //.
  by rewrite /inputs /energy dot_row_mx -!/(energy _) energyE energyE [X in _ + X]big1 ?addr0 // => j _; rewrite mxE expr0n.
have zE : z = r + y *m stiffness by rewrite subrK.
have cross : dot (r *m response) (y *m stiffness) = dot r y.
  by rewrite dot_mul_r stiffness_symmetric responseK.
have back : y *m stiffness *m response = y by rewrite -mulmxA mulmxV ?mulmx1 ?stiffness_unit.
have -> : dot (z *m response) z = dot (r *m response) r + 2%:R * dot r y + dot (y *m stiffness) y.
  rewrite {1 2}zE mulmxDl back dotDl dotDr dotDr cross (dotC y r) (dotC y).
  by ring.
have -> : dot z y = dot r y + dot (y *m stiffness) y by rewrite {1}zE dotDl.
rewrite [X in _ <= X](_ : _ = energy r + 2%:R * dot r y + dot (y *m stiffness) y); last by ring.
by rewrite !ler_add2r.
Qed.

Section Laplacian.

Hypothesis D_is_masks : masks.

Lemma mask_entry i : exists a b, forall w, D i w = (w == a)%:R - (w == b)%:R.
Proof.
have [a [b Dab]] := D_is_masks i; exists a, b => w.
by have := congr1 (fun d : 'rV_n => d 0 w) Dab; rewrite !mxE !eqxx /=.
Qed.

Lemma laplacian_entry j w : laplacian j w = \sum_i D i j * D i w.
Proof. by rewrite mxE; apply: eq_bigr => i _; rewrite mxE. Qed.

Lemma masks_cancel i : \sum_w D i w = 0.
Proof.
have [a [b Dab]] := mask_entry i; under eq_bigr do rewrite Dab.
have one (k : 'I_n) : \sum_w (w == k)%:R = 1 :> R.
  by rewrite (bigD1 k) //= eqxx big1 ?addr0 // => j /negbTE->.
by rewrite sumrB !one subrr.
Qed.

(* The masks cancel: the sum of all states does not depend on them. *)
Theorem masks_keep_the_sum (z x : 'rV[R]_n) flow :
  x = z + flow *m D -> \sum_w x 0 w = \sum_w z 0 w.
Proof.
move=> ->; under eq_bigr do rewrite !mxE.
rewrite big_split /= exchange_big /= [X in _ + X]big1 ?addr0 // => i _.
by rewrite -mulr_sumr masks_cancel mulr0.
Qed.

Lemma laplacian_off_diagonal j w : j != w -> laplacian j w <= 0.
Proof.
move=> jw; rewrite laplacian_entry; apply: sum_le0 => i _; have [a [b Dab]] := mask_entry i.
rewrite !Dab; have [ja|ja] := eqVneq j a; have [jb|jb] := eqVneq j b; rewrite ?subrr ?mul0r ?subr0 ?sub0r //.
  have /negbTE-> : w != a by rewrite -ja eq_sym.
  by rewrite mul1r sub0r oppr_le0 ler0n.
have /negbTE-> : w != b by rewrite -jb eq_sym.
by rewrite mulN1r subr0 oppr_le0 ler0n.
Qed.

Lemma laplacian_columns w : \sum_j laplacian j w = 0.
Proof.
under eq_bigr do rewrite laplacian_entry.
by rewrite exchange_big big1 //= => i _; rewrite -mulr_suml masks_cancel mul0r.
Qed.

(* (I + kappa^2 L)^-1 has no negative entry. *)
Theorem response_is_nonnegative u w : 0 <= response u w.
Proof.
pose y := row u response; suff: forall v, 0 <= y 0 v by move=> /(_ w); rewrite mxE.
have yS : y *m stiffness = delta_mx 0 u by rewrite /y rowE responseK.
case: (@arg_minP _ _ _ u xpredT (fun v => y 0 v)) => // m _ least v; apply: le_trans (least v isT).
rewrite leNgt; apply/negP => neg.
have : 0 <= (y *m stiffness) 0 m by rewrite yS mxE ler0n.
rewrite leNgt => /negP; apply; apply: le_lt_trans neg.
rewrite mulmxDr mulmx1 -scalemxAr mxE [X in _ + X]mxE ger_addl; apply: mulr_ge0_le0; first exact: sqr_ge0.
have -> : (y *m laplacian) 0 m = \sum_j (y 0 j - y 0 m) * laplacian j m.
  under [RHS]eq_bigr do rewrite mulrBl.
  by rewrite sumrB -mulr_sumr laplacian_columns mulr0 subr0 mxE.
apply: sum_le0 => j _; have [->|jm] := eqVneq j m; first by rewrite subrr mul0r.
by rewrite mulr_ge0_le0 ?subr_ge0 ?least ?laplacian_off_diagonal.
Qed.

(* For inputs that change by at most 1 each, a group loses at most the sum of the entries between its members. *)
Theorem group_loses_at_most_the_sum_of_entries (U : pred 'I_n) z :
  (forall w, `|z 0 w| <= (U w)%:R) ->
  leakage masked_states (inputs z) <= \sum_(u | U u) \sum_(w | U w) response u w.
Proof.
move=> small; rewrite masked_leakage dotE [leRHS]exchange_big [leRHS]big_mkcond /=; apply: ler_sum => w _.
rewrite mxE mulr_suml; case Uw : (U w); last first.
  have -> : z 0 w = 0 by apply/eqP; rewrite -normr_le0; have := small w; rewrite Uw.
  by rewrite big1 // => i _; rewrite mulr0.
rewrite [leRHS]big_mkcond /=; apply: ler_sum => i _; apply: le_trans (ler_norm _) _.
rewrite !normrM (ger0_norm (response_is_nonnegative _ _)).
have zw : `|z 0 w| <= 1 by have := small w; rewrite Uw.
have := small i; case: (U i) => /= zi; last first.
  by rewrite (le_anti (introT andP (conj zi (normr_ge0 _)))) !mul0r.
rewrite -[leRHS]mulr1 ler_pmul ?mulr_ge0 ?response_is_nonnegative //.
by rewrite -[leRHS]mul1r ler_wpmul2r ?response_is_nonnegative.
Qed.

(* The bound for groups is attained when all inputs of the group move by 1. *)
Theorem group_can_lose_the_sum_of_entries (U : pred 'I_n) :
  leakage masked_states (inputs (\row_w (U w)%:R)) = \sum_(u | U u) \sum_(w | U w) response u w.
Proof.
rewrite masked_leakage dotE [RHS]exchange_big [RHS]big_mkcond /=; apply: eq_bigr => w _.
rewrite !mxE; case: (U w); rewrite ?mulr0 // mulr1 [RHS]big_mkcond; apply: eq_bigr => i _.
by rewrite mxE; case: (U i); rewrite ?mul1r ?mul0r.
Qed.

End Laplacian.

End Flows.

Lemma energy_inputs n e (z : 'rV[R]_n) : energy (inputs e z) = energy z.
Proof. by rewrite /energy dot_row_mx /dot mul0mx [X in _ + X]mxE addr0. Qed.

(* More masks never raise the leakage: taking edges away bounds it locally. *)
Theorem more_masks_never_raise_leakage n e e' (kappa : R) (D : 'M[R]_(e, n)) (D' : 'M[R]_(e', n)) z :
  kappa != 0 ->
  leakage (masked_states kappa (col_mx D D')) (inputs (e + e') z) <= leakage (masked_states kappa D) (inputs e z).
Proof.
move=> k0; have [flow <-] := cheapest_flow D z k0.
have -> : flow_cost kappa D z flow = flow_cost kappa (col_mx D D') z (row_mx flow 0).
  by rewrite /flow_cost mul_row_col mul0mx addr0 -/(inputs e' flow) energy_inputs.
exact: every_flow_bounds_the_leakage.
Qed.

(* An entry on the diagonal of (I + kappa^2 L)^-1 falls, or stays, when a mask is added. *)
Theorem response_falls_with_more_masks n e e' (kappa : R) (D : 'M[R]_(e, n)) (D' : 'M[R]_(e', n)) u :
  kappa != 0 -> response kappa (col_mx D D') u u <= response kappa D u u.
Proof.
move=> k0; rewrite -!masked_leakage_of_one_input; exact: more_masks_never_raise_leakage.
Qed.

Section Components.

Variables (n e : nat) (kappa : R) (D : 'M[R]_(e, n)) (C : pred 'I_n).

Let S := stiffness kappa D.
Let inside : 'rV[R]_n := \row_w (C w)%:R.

(* No mask leaves C: both of its ends are in C, or none is. *)
Definition closed : Prop := forall i, exists a b, is_mask (row i D) a b /\ C a = C b.

Hypothesis C_is_closed : closed.

Lemma closed_entry i : exists a b, (forall w, D i w = (w == a)%:R - (w == b)%:R) /\ C a = C b.
Proof.
have [a [b [Dab Cab]]] := C_is_closed i; exists a, b; split=> // w.
by have := congr1 (fun d : 'rV_n => d 0 w) Dab; rewrite !mxE !eqxx /=.
Qed.

Lemma masks_vanish_on_components : D *m inside^T = 0.
Proof.
apply/matrixP=> i j; rewrite !mxE; have [a [b [Dab Cab]]] := closed_entry i.
have at_node k : \sum_w (w == k)%:R * (C w)%:R = (C k)%:R :> R.
  by rewrite (bigD1 k) //= eqxx mul1r big1 ?addr0 // => w /negbTE->; rewrite mul0r.
under eq_bigr do rewrite Dab !mxE mulrBl.
by rewrite sumrB !at_node Cab subrr.
Qed.

Lemma inside_is_kept : inside *m response kappa D = inside.
Proof.
have keep : inside *m S = inside.
  rewrite /S /stiffness /laplacian mulmxDr mulmx1 -scalemxAr mulmxA.
  by rewrite -[inside *m D^T]trmxK trmx_mul trmxK masks_vanish_on_components trmx0 mul0mx scaler0 addr0.
by rewrite -{1}keep -mulmxA mulmxV ?mulmx1 ?stiffness_unit.
Qed.

Lemma energy_inside : energy inside = #|C|%:R.
Proof.
rewrite energyE -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => w _.
by rewrite mxE unfold_in; case: (C w); rewrite ?expr1n ?expr0n.
Qed.

(* Who is in a component of m nodes loses at least 1/m: the sum over the component is an attack. *)
Theorem component_is_a_floor u : C u -> #|C|%:R^-1 <= response kappa D u u.
Proof.
move=> Cu; rewrite -masked_leakage_of_one_input.
have formed : (inputs e inside <= masked_states kappa D)%MS.
  apply/submxP; exists inside; rewrite mul_mx_row mulmx1 -scalemxAr.
  by rewrite -[inside *m D^T]trmxK trmx_mul trmxK masks_vanish_on_components trmx0 scaler0.
apply: le_trans (what_is_formed_is_at_most_leakage _ formed).
by rewrite energy_inputs energy_inside dot_row_mx dot_delta mxE Cu /dot mul0mx mxE addr0 expr1n mul1r.
Qed.

Lemma stiffness_respects_components : diag_mx inside *m S = S *m diag_mx inside.
Proof.
rewrite /S /stiffness mulmxDr mulmxDl mulmx1 mul1mx -scalemxAr -scalemxAl; congr (_ + _ *: _).
apply/matrixP=> j w; rewrite mul_diag_mx mul_mx_diag !mxE mulr_sumr mulr_suml.
apply: eq_bigr => i _; rewrite mxE; have [a [b [Dab Cab]]] := closed_entry i; rewrite !Dab.
have same k : ((k == a)%:R - (k == b)%:R) * (C k)%:R = ((k == a)%:R - (k == b)%:R) * (C a)%:R :> R.
  have [->|_] := eqVneq k a; first by [].
  have [->|_] := eqVneq k b; first by rewrite Cab.
  by rewrite subrr !mul0r.
by rewrite mulrA [(C j)%:R * _]mulrC same -[in RHS]mulrA same mulrAC mulrA.
Qed.

(* With lambda the smallest eigenvalue of the Laplacian on the component, apart from the constant: what is lost in excess
   of 1/m is at most (1 - 1/m) / (1 + kappa^2 lambda). *)
Theorem component_is_approached u lambda :
  C u -> 0 <= lambda ->
  (forall x : 'rV[R]_n, (forall w, ~~ C w -> x 0 w = 0) -> dot x inside = 0 ->
     lambda * energy x <= energy (x *m D^T)) ->
  response kappa D u u <= #|C|%:R^-1 + (1 - #|C|%:R^-1) / (1 + kappa ^+ 2 * lambda).
Proof.
move=> Cu l0 gap; set m := #|C|%:R : R; pose p := delta_mx 0 u - m^-1 *: inside.
have m0 : m != 0 by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists u.
have den : 0 < 1 + kappa ^+ 2 * lambda by apply: ltr_paddr ltr01; apply: mulr_ge0 (sqr_ge0 _) l0.
have at_u : dot inside (delta_mx 0 u) = 1 by rewrite dot_delta mxE Cu.
have p_in : dot p inside = 0 by rewrite dotBl dotZl (dotC (delta_mx 0 u)) at_u -/(energy inside) energy_inside mulVf ?subrr.
have p_u : dot p (delta_mx 0 u) = 1 - m^-1 by rewrite dotBl dotZl at_u mulr1 dot_delta mxE !eqxx.
have p_p : energy p = 1 - m^-1 by rewrite /energy {2}/p dotBr dotZr p_in mulr0 subr0.
pose q := p *m response kappa D.
have qS : q *m S = p by rewrite responseK.
have q_in : dot q inside = 0.
  by rewrite /dot -mulmxA -[response _ _]trmxK -trmx_mul response_symmetric inside_is_kept -/(dot p inside) p_in.
have q_out w : ~~ C w -> q 0 w = 0.
  have keep : q *m diag_mx inside = q.
    have : q *m diag_mx inside *m S = q *m S.
      rewrite -mulmxA stiffness_respects_components mulmxA qS; apply/rowP=> j.
      rewrite mul_mx_diag !mxE eqxx /=; case: (eqVneq j u) => [->|_]; first by rewrite Cu mulr1.
      by case: (C j); rewrite ?mulr1 ?mulr0 ?subrr.
    by move=> /(congr1 (mulmx^~ (invmx S))); rewrite !mulmxK ?stiffness_unit.
  by move=> out; rewrite -keep mul_mx_diag !mxE (negbTE out) mulr0.
have dq : energy q * (1 + kappa ^+ 2 * lambda) <= dot p q.
  rewrite -{1}qS stiffness_form mulrDr mulr1 ler_add2l mulrCA ler_wpmul2l ?sqr_ge0 // mulrC.
  exact: gap.
have pq0 : 0 <= dot p q by apply: le_trans dq; rewrite mulr_ge0 ?energy_ge0 // ltW.
have pq : dot p q <= (1 - m^-1) / (1 + kappa ^+ 2 * lambda).
  rewrite ler_pdivl_mulr //; have [->|pos] := eqVneq (dot p q) 0; first by rewrite mul0r -p_p energy_ge0.
  have {}pos : 0 < dot p q by rewrite lt_def pos.
  rewrite -(ler_pmul2l pos) mulrA -expr2 -p_p [leRHS]mulrC.
  apply: le_trans (ler_wpmul2l (energy_ge0 p) dq).
  by rewrite mulrA ler_wpmul2r ?cauchy_schwarz // ltW.
have split : delta_mx 0 u = p + m^-1 *: inside by rewrite subrK.
have qu : dot q (delta_mx 0 u) = dot p q by rewrite split (dotDr q p) dotZr q_in mulr0 addr0 dotC.
rewrite -masked_leakage_of_one_input masked_leakage {1}split (mulmxDl p) -scalemxAl inside_is_kept -/q.
by rewrite dotDl dotZl at_u mulr1 qu addrC ler_add2l.
Qed.

(* It tends to 1/m as kappa grows. *)
Theorem component_is_the_limit u lambda epsilon :
  C u -> 0 < lambda -> 0 < epsilon -> 1 <= kappa ^+ 2 * lambda * epsilon ->
  (forall x : 'rV[R]_n, (forall w, ~~ C w -> x 0 w = 0) -> dot x inside = 0 ->
     lambda * energy x <= energy (x *m D^T)) ->
  response kappa D u u <= #|C|%:R^-1 + epsilon.
Proof.
move=> Cu l0 e0 large gap; apply: le_trans (component_is_approached Cu (ltW l0) gap) _.
have nn : 0 <= kappa ^+ 2 * lambda by rewrite mulr_ge0 ?sqr_ge0 // ltW.
have den : 0 < 1 + kappa ^+ 2 * lambda by apply: ltr_paddr; rewrite ?ltr01.
rewrite ler_add2l ler_pdivr_mulr //.
apply: (@le_trans _ _ 1); first by rewrite ler_subl_addr ler_addl invr_ge0 ler0n.
by rewrite mulrDr mulr1 (mulrC epsilon) (le_trans large) // ler_addr ltW.
Qed.

End Components.

Section Observers.

Variables (n e e' : nat) (kappa : R) (hidden : 'M[R]_(e, n)) (shared : 'M[R]_(e', n)) (V : pred 'I_n).

(* All states, the draws of the observers V, and the masks that they share: more than V can compute from. *)
Definition all_that_observers_see : 'M[R]_(n + (n + e'), n + (e + e')) :=
  col_mx (masked_states kappa (col_mx hidden shared))
    (col_mx (row_mx (diag_mx (\row_w (V w)%:R)) 0) (row_mx 0 (row_mx 0 1%:M))).

(* What V computes from the masked states loses at most (I + kappa^2 L)^-1, L without the masks at V, for any inputs outside V. *)
Theorem masked_bound p (computed : 'M[R]_(p, n + (n + e'))) (z : 'rV[R]_n) :
  (forall i v, V v -> hidden i v = 0) -> (forall v, V v -> z 0 v = 0) ->
  leakage (computed *m all_that_observers_see) (inputs (e + e') z) <= dot (z *m response kappa hidden) z.
Proof.
move=> apart own; apply: le_trans (postprocessing_never_raises_leakage _ _ _) _.
have [y yE] : exists y, z *m response kappa hidden = y by exists (z *m response kappa hidden).
have yS : y *m stiffness kappa hidden = z by rewrite -yE responseK.
have still v : V v -> y 0 v = 0.
  move=> Vv; rewrite -(own v Vv) -yS /stiffness mulmxDr mulmx1 -scalemxAr mulmxA mxE [X in _ + X]mxE.
  by rewrite [X in _ * X]mxE big1 ?mulr0 ?addr0 // => i _; rewrite apart ?mulr0.
pose zeta : 'rV[R]_(n + (e + e')) := row_mx y (row_mx (kappa *: (y *m hidden^T)) 0).
have -> : dot (z *m response kappa hidden) z = energy zeta.
  rewrite /energy !dot_row_mx dotZl dotZr mulrA -expr2 yE -yS dotC stiffness_form /energy.
  by rewrite [dot 0 0]/dot mul0mx mxE addr0.
apply: leakage_is_at_most_alibi; rewrite /alibi /all_that_observers_see !mul_col_mx; congr col_mx.
  rewrite states_of_inputs -yS /masked_states /zeta tr_row_mx mul_row_col mul1mx tr_col_mx tr_row_mx.
  rewrite scale_row_mx mul_row_col trmx0 mulmx0 addr0 transpose_scaled -scalemxAl -scalemxAr scalerA -expr2.
  rewrite /stiffness mulmxDr mulmx1 linearD /= -scalemxAr transpose_scaled; congr (_ + _ *: _).
  by rewrite !trmx_mul !trmxK mulmxA.
congr col_mx; rewrite /zeta /inputs !tr_row_mx !mul_row_col ?mul0mx ?trmx0 ?mulmx0 ?addr0 ?add0r //.
apply/colP=> v; rewrite !mul_diag_mx !mxE; case Vv: (V v); rewrite ?mul0r //.
by rewrite still ?own.
Qed.

(* The bound of SPEC 14 for one source outside V. *)
Theorem masked_bound_for_one_source p (computed : 'M[R]_(p, n + (n + e'))) u :
  (forall i v, V v -> hidden i v = 0) -> ~~ V u ->
  leakage (computed *m all_that_observers_see) (inputs (e + e') (delta_mx 0 u)) <= response kappa hidden u u.
Proof.
move=> apart out; apply: le_trans (masked_bound computed apart _) _ => [v Vv|].
  by rewrite mxE eqxx; case: eqP => // vu; move: out; rewrite -vu Vv.
by rewrite dot_delta -rowE mxE.
Qed.

(* The bound is the loss towards observers who can solve for all states. *)
Theorem masked_bound_is_attained z :
  dot (z *m response kappa hidden) z <= leakage all_that_observers_see (inputs (e + e') z).
Proof.
have same : stiffness kappa (col_mx hidden (0 : 'M_(e', n))) = stiffness kappa hidden.
  by rewrite /stiffness /laplacian tr_col_mx mul_row_col trmx0 mul0mx addr0.
have -> : response kappa hidden = response kappa (col_mx hidden (0 : 'M_(e', n))) by rewrite /response same.
rewrite -masked_leakage; apply: more_messages_never_lower_leakage.
pose known : 'M[R]_(e', n + (e + e')) := row_mx 0 (row_mx 0 1%:M).
have -> : masked_states kappa (col_mx hidden 0) =
    masked_states kappa (col_mx hidden shared) - kappa *: (shared^T *m known).
  rewrite /known /masked_states !mul_mx_row !mulmx0 mulmx1 !tr_col_mx !scale_row_mx !scaler0 trmx0.
  by rewrite opp_row_mx add_row_mx oppr0 addr0 opp_row_mx add_row_mx oppr0 addr0 subrr scaler0.
have split := (addsmxE (masked_states kappa (col_mx hidden shared))
  (col_mx (row_mx (diag_mx (\row_w (V w)%:R)) 0) known)).
rewrite /all_that_observers_see -/known -split addmx_sub ?addsmxSl // eqmx_opp scalemx_sub // mulmx_sub //.
by apply: submx_trans (addsmxSr _ _); rewrite -addsmxE addsmxSr.
Qed.

End Observers.

End Masked.
