(* Noise plans and the view of sums (SPEC 16 and 18): every draw has a size of its own, and sums tell no more than their terms. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Muffliato Require Import gossip leakage masked.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Sums.

Variable R : realFieldType.

(* The view of sums, whatever the weights of the sums and the draws that the observer knows, loses at most what the single messages lose. *)
Theorem sums_never_lose_more_than_messages m p q k (messages : 'M[R]_(m, k)) (known : 'M[R]_(q, k)) (weights : 'M[R]_(p, m)) z :
  leakage (col_mx (weights *m messages) known) z <= leakage (col_mx messages known) z.
Proof.
apply: more_messages_never_lower_leakage; rewrite col_mx_sub.
by rewrite (submx_trans (submxMl _ _)) -?addsmxE ?addsmxSl ?addsmxSr.
Qed.

(* One sender with a weight that is not 0: the sum is the message. *)
Theorem a_sum_of_one_message_is_the_message m q k (messages : 'M[R]_(m, k)) (known : 'M[R]_(q, k)) (c : R) z :
  c != 0 -> leakage (col_mx (c *: messages) known) z = leakage (col_mx messages known) z.
Proof.
move=> c0; apply: leakage_depends_on_the_span; apply/eqmxP.
by apply/andP; split; rewrite col_mx_sub -!addsmxE addsmxSr andbT; apply: submx_trans (addsmxSl _ _); rewrite ?scalemx_sub // -{1}[messages](scalerK c0) scalemx_sub.
Qed.

End Sums.

Section Plans.

Variables (R : realFieldType) (n e : nat) (s : 'rV[R]_n) (kappa : 'rV[R]_e) (D : 'M[R]_(e, n)).
Implicit Types (z y : 'rV[R]_n) (zeta : 'rV[R]_(n + e)).

(* The states after the injection, in standard draws: node w draws s_w, mask i kappa_i. *)
Definition plan_states : 'M[R]_(n, n + e) := row_mx (diag_mx s) (D^T *m diag_mx kappa).

(* diag(s^2) + L, the Laplacian weighted by kappa^2. *)
Definition plan_matrix : 'M[R]_n :=
  diag_mx s *m diag_mx s + D^T *m diag_mx kappa *m diag_mx kappa *m D.

(* Draws that change the states by z. *)
Definition moves zeta z : Prop := plan_states *m zeta^T = z^T.

Lemma gram_plan_states : gram plan_states = plan_matrix.
Proof. by rewrite /gram /plan_states tr_row_mx mul_row_col trmx_mul trmxK !tr_diag_mx !mulmxA. Qed.

(* The leakage of the masked states is the quadratic form of (diag(s^2) + L)^-1. *)
Theorem leakage_of_a_plan z zeta : row_free plan_states -> moves zeta z ->
  leakage plan_states zeta = dot (z *m invmx plan_matrix) z.
Proof. by move=> free moved; rewrite leakage_of_independent_messages // moved trmxK gram_plan_states. Qed.

(* At any y the leakage is at most 2 a y - y M y and what is left of a - M y, squared, over s^2; nothing may be left where s is 0. *)
Theorem leakage_of_a_plan_is_at_most_any_trial z zeta y :
  let r := z - y *m plan_matrix in
  moves zeta z -> (forall w, s 0 w = 0 -> r 0 w = 0) ->
  leakage plan_states zeta <= 2%:R * dot z y - dot (y *m plan_matrix) y + \sum_w r 0 w ^+ 2 / s 0 w ^+ 2.
Proof.
move=> r moved still; pose rest : 'rV[R]_n := \row_w (r 0 w / s 0 w).
pose xi := row_mx (y *m diag_mx s + rest) (y *m D^T *m diag_mx kappa).
have left : rest *m diag_mx s = r.
  apply/rowP=> w; rewrite mul_mx_diag !mxE; have [s0|s0] := eqVneq (s 0 w) 0; last by rewrite divfK.
  by rewrite s0 mulr0; symmetry; have := still w s0; rewrite !mxE.
have back : z = r + y *m plan_matrix by rewrite subrK.
have cost : \sum_w r 0 w ^+ 2 / s 0 w ^+ 2 = energy rest.
  by rewrite energyE; apply: eq_bigr => w _; rewrite [rest 0 w]mxE expr_div_n.
have form : dot (y *m plan_matrix) y = energy (y *m diag_mx s) + energy (y *m D^T *m diag_mx kappa).
  rewrite /energy /dot /plan_matrix mulmxDr mulmxDl mxE; congr (_ + _).
    by rewrite trmx_mul tr_diag_mx !mulmxA.
  by rewrite !trmx_mul trmxK tr_diag_mx !mulmxA.
have cross : dot (y *m diag_mx s) rest = dot r y.
  by rewrite -left [RHS]dotC /dot trmx_mul tr_diag_mx mulmxA.
have -> : 2%:R * dot z y - dot (y *m plan_matrix) y + \sum_w r 0 w ^+ 2 / s 0 w ^+ 2 = energy xi.
  rewrite cost /xi /energy dot_row_mx dotDl !dotDr -!/(energy _) (dotC rest) cross {1}back dotDl form; ring.
apply: leakage_is_at_most_alibi; rewrite /alibi moved /plan_states /xi tr_row_mx mul_row_col.
rewrite back -left ![(_ + _)^T]linearD /= mulmxDr.
have -> : diag_mx s *m rest^T = (rest *m diag_mx s)^T by rewrite trmx_mul tr_diag_mx.
rewrite addrAC [RHS]addrC; congr (_ + _); rewrite /plan_matrix mulmxDr linearD /=.
by congr (_ + _); rewrite !trmx_mul ?trmxK !tr_diag_mx !mulmxA.
Qed.

(* Every flow is an upper bound: what leaves through the nodes costs 1/s^2, what goes along masks 1/kappa^2. *)
Theorem every_flow_bounds_the_leakage_of_a_plan z zeta (flow : 'rV[R]_e) :
  moves zeta z -> (forall w, s 0 w = 0 -> (z - flow *m D) 0 w = 0) -> (forall i, kappa 0 i = 0 -> flow 0 i = 0) ->
  leakage plan_states zeta <=
    \sum_w (z - flow *m D) 0 w ^+ 2 / s 0 w ^+ 2 + \sum_i flow 0 i ^+ 2 / kappa 0 i ^+ 2.
Proof.
move=> moved still closed; set out := z - flow *m D in still *.
pose xi : 'rV[R]_(n + e) := row_mx (\row_w (out 0 w / s 0 w)) (\row_i (flow 0 i / kappa 0 i)).
have -> : \sum_w out 0 w ^+ 2 / s 0 w ^+ 2 + \sum_i flow 0 i ^+ 2 / kappa 0 i ^+ 2 = energy xi.
  rewrite /energy dot_row_mx -!/(energy _) !energyE.
  by congr (_ + _); apply: eq_bigr => j _; rewrite [in RHS]mxE expr_div_n.
have left : diag_mx s *m (\row_w (out 0 w / s 0 w))^T = out^T.
  apply/colP=> w; rewrite mul_diag_mx !mxE; have [s0|s0] := eqVneq (s 0 w) 0; last by rewrite mulrC divfK.
  by rewrite s0 mul0r; symmetry; have := still w s0; rewrite !mxE.
have along : diag_mx kappa *m (\row_i (flow 0 i / kappa 0 i))^T = flow^T.
  apply/colP=> i; rewrite mul_diag_mx !mxE; have [k0|k0] := eqVneq (kappa 0 i) 0; last by rewrite mulrC divfK.
  by rewrite k0 mul0r closed.
apply: leakage_is_at_most_alibi; rewrite /alibi moved /plan_states /xi tr_row_mx mul_row_col left -mulmxA along.
by rewrite -trmx_mul -linearD /= subrK.
Qed.

End Plans.
