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

(* At any y the leakage is at most 2 a y - y M y and the cost of draws that move what is left of a - M y. *)
Lemma draws_for_a_residual_bound_the_leakage z zeta y (c : 'rV[R]_(n + e)) :
  moves zeta z -> moves c (z - y *m plan_matrix) ->
  leakage plan_states zeta <= 2%:R * dot z y - dot (y *m plan_matrix) y + energy c.
Proof.
rewrite /moves => moved left; pose xi := y *m plan_states + c.
have form : energy (y *m plan_states) = dot (y *m plan_matrix) y.
  by rewrite /energy /dot -gram_plan_states /gram trmx_mul !mulmxA.
have cross : dot (y *m plan_states) c = dot z y - dot (y *m plan_matrix) y.
  by rewrite /dot -mulmxA left -/(dot y _) dotC /dot mulmxBl !mxE.
have -> : 2%:R * dot z y - dot (y *m plan_matrix) y + energy c = energy xi.
  rewrite /energy [in RHS]dotDl !dotDr -!/(energy _) (dotC c) cross form; ring.
apply: leakage_is_at_most_alibi; rewrite /alibi moved /xi linearD /= mulmxDr left trmx_mul mulmxA.
rewrite -/(gram plan_states) gram_plan_states linearB /= trmx_mul.
have -> : plan_matrix^T = plan_matrix by rewrite -gram_plan_states /gram trmx_mul trmxK.
by rewrite addrC subrK.
Qed.

(* Draws that let some out at the nodes and move some along masks. *)
Definition draws_of (out : 'rV[R]_n) (flow : 'rV[R]_e) : 'rV[R]_(n + e) :=
  row_mx (\row_w (out 0 w / s 0 w)) (\row_i (flow 0 i / kappa 0 i)).

Definition possible (out : 'rV[R]_n) (flow : 'rV[R]_e) : Prop :=
  (forall w, s 0 w = 0 -> out 0 w = 0) /\ (forall i, kappa 0 i = 0 -> flow 0 i = 0).

Definition cost (out : 'rV[R]_n) (flow : 'rV[R]_e) : R :=
  \sum_w out 0 w ^+ 2 / s 0 w ^+ 2 + \sum_i flow 0 i ^+ 2 / kappa 0 i ^+ 2.

Lemma energy_of_draws out flow : energy (draws_of out flow) = cost out flow.
Proof.
rewrite /energy dot_row_mx -!/(energy _) !energyE.
by congr (_ + _); apply: eq_bigr => j _; rewrite mxE expr_div_n.
Qed.

Lemma draws_move out flow : possible out flow -> moves (draws_of out flow) (out + flow *m D).
Proof.
case=> still closed; rewrite /moves /plan_states /draws_of tr_row_mx mul_row_col -mulmxA.
have -> : diag_mx s *m (\row_w (out 0 w / s 0 w))^T = out^T.
  apply/colP=> w; rewrite mul_diag_mx !mxE; have [s0|s0] := eqVneq (s 0 w) 0; last by rewrite mulrC divfK.
  by rewrite s0 mul0r still.
have -> : diag_mx kappa *m (\row_i (flow 0 i / kappa 0 i))^T = flow^T.
  apply/colP=> i; rewrite mul_diag_mx !mxE; have [k0|k0] := eqVneq (kappa 0 i) 0; last by rewrite mulrC divfK.
  by rewrite k0 mul0r closed.
by rewrite -trmx_mul -linearD.
Qed.

Lemma cost_at_nodes out : cost out 0 = \sum_w out 0 w ^+ 2 / s 0 w ^+ 2.
Proof. by rewrite /cost [X in _ + X]big1 ?addr0 // => i _; rewrite mxE expr0n mul0r. Qed.

(* At any y the leakage is at most 2 a y - y M y and what is left of a - M y, squared, over s^2; nothing may be left where s is 0. *)
Theorem leakage_of_a_plan_is_at_most_any_trial z zeta y :
  let r := z - y *m plan_matrix in
  moves zeta z -> (forall w, s 0 w = 0 -> r 0 w = 0) ->
  leakage plan_states zeta <= 2%:R * dot z y - dot (y *m plan_matrix) y + \sum_w r 0 w ^+ 2 / s 0 w ^+ 2.
Proof.
move=> r moved still; rewrite -cost_at_nodes -energy_of_draws; apply: draws_for_a_residual_bound_the_leakage => //.
by rewrite -/r -[X in moves _ X]addr0 -(mul0mx _ D); apply: draws_move; split=> // i _; rewrite mxE.
Qed.

(* Every flow is an upper bound: what leaves through the nodes costs 1/s^2, what goes along masks 1/kappa^2. *)
Theorem every_flow_bounds_the_leakage_of_a_plan z zeta (flow : 'rV[R]_e) :
  moves zeta z -> (forall w, s 0 w = 0 -> (z - flow *m D) 0 w = 0) -> (forall i, kappa 0 i = 0 -> flow 0 i = 0) ->
  leakage plan_states zeta <=
    \sum_w (z - flow *m D) 0 w ^+ 2 / s 0 w ^+ 2 + \sum_i flow 0 i ^+ 2 / kappa 0 i ^+ 2.
Proof.
move=> moved still closed; rewrite -/(cost _ _) -energy_of_draws; apply: leakage_is_at_most_alibi.
by rewrite /alibi moved draws_move ?subrK.
Qed.

(* The length of a sum of draws, of which squares are known. *)
Lemma energy_of_a_sum k (x y : 'rV[R]_k) a b :
  0 <= a -> 0 <= b -> energy x <= a ^+ 2 -> energy y <= b ^+ 2 -> energy (x + y) <= (a + b) ^+ 2.
Proof.
move=> a0 b0 ax by2; rewrite /energy dotDl !dotDr -!/(energy _) (dotC y) sqrrD.
have ab : dot x y <= a * b.
  apply: le_trans (ler_norm _) _; rewrite -ler_sqr ?nnegrE ?mulr_ge0 // real_normK ?num_real // exprMn.
  by apply: le_trans (cauchy_schwarz _ _) _; apply: ler_pmul; rewrite ?energy_ge0.
by rewrite -addrA [X in _ + X]addrA -mulr2n addrA; apply: ler_add => //; apply: ler_add => //; rewrite ler_muln2r ab orbT.
Qed.

(* A residual where s is 0 goes along a path of masks to nodes with noise. Its cost is the square of the sum of the lengths: g of what is left where s is not 0, and |r_w| rho_w of the path from w, whose resistance is at most rho_w^2. *)
Theorem a_residual_at_a_silent_node_costs_its_path z zeta y g (rho : 'I_n -> R) (path : 'I_n -> 'rV[R]_e) :
  let r := z - y *m plan_matrix in
  moves zeta z -> 0 <= g -> (forall w, 0 <= rho w) ->
  \sum_(w | s 0 w != 0) r 0 w ^+ 2 / s 0 w ^+ 2 <= g ^+ 2 ->
  (forall w, s 0 w = 0 -> possible (delta_mx 0 w - path w *m D) (path w) /\ cost (delta_mx 0 w - path w *m D) (path w) <= rho w ^+ 2) ->
  leakage plan_states zeta <=
    2%:R * dot z y - dot (y *m plan_matrix) y + (g + \sum_(w | s 0 w == 0) `|r 0 w| * rho w) ^+ 2.
Proof.
move=> r moved g0 rho0 noisy silent; have rest : z - y *m plan_matrix = r by [].
clearbody r; pose loud : 'rV[R]_n := \row_w (if s 0 w == 0 then 0 else r 0 w).
pose along w := draws_of (delta_mx 0 w - path w *m D) (path w).
pose c := draws_of loud 0 + \sum_(w | s 0 w == 0) r 0 w *: along w.
apply: le_trans (draws_for_a_residual_bound_the_leakage (y := y) (c := c) moved _) _; last first.
- rewrite ler_add2l; apply: energy_of_a_sum => //.
  + by apply: sumr_ge0 => w _; rewrite mulr_ge0.
  + rewrite energy_of_draws cost_at_nodes; apply: le_trans noisy; rewrite [leRHS]big_mkcond /=.
    by apply: ler_sum => w _; rewrite mxE; case: eqP => _ //=; rewrite expr0n mul0r.
  + suff: energy (\sum_(w | s 0 w == 0) r 0 w *: along w) <= (\sum_(w | s 0 w == 0) `|r 0 w| * rho w) ^+ 2 /\
      0 <= \sum_(w | s 0 w == 0) `|r 0 w| * rho w by case.
    elim/big_ind2: _ => [|x a x' a' [ex a0] [ex' a0']|w s0].
    * by rewrite /energy /dot mul0mx mxE expr0n.
    * by split; [apply: energy_of_a_sum|apply: addr_ge0].
    * have /eqP/silent[_ most] := s0; split; last by rewrite mulr_ge0.
      rewrite /energy dotZl dotZr -/(energy _) energy_of_draws mulrA -expr2 exprMn real_normK ?num_real //.
      by rewrite ler_wpmul2l ?sqr_ge0.
- have out w : s 0 w == 0 -> plan_states *m (along w)^T = (delta_mx 0 w)^T.
    by move=> /eqP/silent[can _]; rewrite draws_move // subrK.
  rewrite /moves rest /c linearD /= mulmxDr draws_move; last first.
    by split=> [w s0|i _]; rewrite mxE // s0 eqxx.
  rewrite mul0mx addr0 linear_sum mulmx_sumr /=.
  under eq_bigr => w s0 do rewrite linearZ /= -scalemxAr (out w s0) -linearZ.
  rewrite -linear_sum -linearD /=; congr trmx; apply/rowP=> w; rewrite mxE summxE [loud 0 w]mxE.
  have [s0|s0] := boolP (s 0 w == 0).
    rewrite add0r (bigD1 w) //= !mxE !eqxx mulr1 big1 ?addr0 // => x /andP[_ xw].
    by rewrite !mxE eqxx eq_sym (negPf xw) mulr0.
  rewrite big1 ?addr0 // => x x0; rewrite !mxE eqxx /=; case: eqP => [wx|]; last by rewrite mulr0.
  by rewrite wx x0 in s0.
Qed.

End Plans.
