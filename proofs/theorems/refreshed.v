(* Refreshed gossip (SPEC 8 and 12): fresh noise at every step, on any sequence of gossip matrices. The first-passage bound
   and the walk bound are the costs of an alibi: run the signal forward and let each node that speaks to the observers
   absorb what arrives at it. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Muffliato Require Import gossip leakage.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Functionals.

Variables (R : realFieldType) (T n : nat).
Implicit Types (f : 'M[R]_(T, n) -> R) (x : 'M[R]_(T, n)).

(* The coefficients of a number that is computed linearly from the draws. *)
Definition coefficients f : 'rV[R]_(T * n) := mxvec (\matrix_(i, j) f (delta_mx i j)).

Lemma dot_mxvec x y : dot (mxvec x) (mxvec y) = \sum_i \sum_j x i j * y i j.
Proof.
rewrite dotE (reindex _ (curry_mxvec_bij _ _)) /= pair_bigA /=.
by apply: eq_bigr => -[i j] _; rewrite !mxvecE.
Qed.

Lemma coefficientsE f x : scalar f -> dot (coefficients f) (mxvec x) = f x.
Proof.
move=> lin; have f0 : f 0 = 0 by have := lin (-1) 0 0; rewrite scaleN1r oppr0 addr0 mulN1r addNr.
have fD : {morph f : a b / a + b} by move=> a b; have := lin 1 a b; rewrite scale1r mul1r.
rewrite dot_mxvec [in RHS](matrix_sum_delta x) (big_morph f fD f0); apply: eq_bigr => i _.
rewrite (big_morph f fD f0); apply: eq_bigr => j _.
by rewrite mxE mulrC -[x i j *: _]addr0 lin f0 addr0.
Qed.

End Functionals.

Section Refreshed.

Variables (R : realFieldType) (n T : nat).
Variables (W : nat -> 'M[R]_n) (s : nat -> R) (speaks : nat -> pred 'I_n) (observer : pred 'I_n).
Implicit Types (omega : 'M[R]_(T, n)) (z : nat -> 'cV[R]_n).

(* The standard draws of time t. *)
Definition draw omega (t : nat) : 'cV[R]_n := if insub t is Some i then (row i omega)^T else 0.

(* The states as sent: mix what was sent before, add noise of standard deviation s_t. *)
Fixpoint sent omega (t : nat) : 'cV[R]_n :=
  s t *: draw omega t + (if t is r.+1 then W r *m sent omega r else 0).

(* What the observers see: the messages of those who speak to them, and the draws of their own. *)
Definition refreshed_view : 'M[R]_(T * n) :=
  (\sum_(t < T) \sum_(w | speaks t w) <<coefficients (fun omega : 'M[R]_(T, n) => sent omega t w 0)>>
   + \sum_(t < T) \sum_(v | observer v) <<coefficients (fun omega : 'M[R]_(T, n) => omega t v)>>)%MS.

Lemma draw_linear t a x y : draw (a *: x + y) t = a *: draw x t + draw y t.
Proof.
by rewrite /draw; case: insubP => *; rewrite ?scaler0 ?addr0 //; apply/colP=> j; rewrite !mxE.
Qed.

Lemma sent_linear t a x y : sent (a *: x + y) t = a *: sent x t + sent y t.
Proof.
elim: t => [|t IH] /=; rewrite draw_linear ?IH ?addr0 scalerDr ?scalerA mulrC -?scalerA //.
by rewrite mulmxDr -scalemxAr scalerDr addrACA.
Qed.

(* Draws that give the same messages, and the same draws to the observers, are an alibi. *)
Theorem same_messages_are_an_alibi (input zeta : 'M[R]_(T, n)) :
  (forall t w, (t < T)%N -> speaks t w -> sent zeta t w 0 = sent input t w 0) ->
  (forall (t : 'I_T) v, observer v -> zeta t v = input t v) ->
  alibi refreshed_view (mxvec input) (mxvec zeta).
Proof.
move=> heard own.
apply/eqP; rewrite /alibi -subr_eq0 -mulmxBr -linearB /=; apply/eqP/sub_kermxP.
have zero f : scalar f -> f zeta = f input -> (<<coefficients f>> <= kermx (mxvec zeta - mxvec input)^T)%MS.
  move=> lin same; rewrite genmxE; apply/sub_kermxP/matrixP=> i j.
  by rewrite !ord1 [LHS]dotBr !coefficientsE // same subrr mxE.
rewrite addsmx_sub; apply/andP; split; apply/sumsmx_subP => t _; apply/sumsmx_subP => w sw; apply: zero.
- by move=> a x y /=; rewrite sent_linear !mxE.
- exact: heard.
- by move=> a x y /=; rewrite !mxE.
- exact: own.
Qed.

Section OneInput.

(* The input of u at the time start: it goes where the draw of u goes, which has standard deviation 1 then. *)
Variables (u : 'I_n) (start : 'I_T).
Hypothesis s_is_1_at_the_start : s start = 1.

Definition input_of : 'rV[R]_(T * n) := mxvec (delta_mx start u).

(* What arrives at time t if z is absorbed on the way. *)
Fixpoint arriving z (t : nat) : 'cV[R]_n :=
  (if t == start then delta_mx u 0 else 0) + (if t is r.+1 then W r *m (arriving z r - z r) else 0).

(* The draws that absorb z, in units of their standard deviations. *)
Definition absorbing z : 'M[R]_(T, n) := \matrix_(t, w) (z t w 0 / s t).

(* Absorb anything anywhere, so that nothing is left at those who speak to the observers, and nothing is absorbed by the
   observers or where there is no noise: that is an alibi. *)
Theorem absorbing_is_an_alibi z :
  (forall t w, (t < T)%N -> speaks t w -> z t w 0 = arriving z t w 0) ->
  (forall t v, observer v -> z t v 0 = 0) -> (forall t w, s t = 0 -> z t w 0 = 0) -> ~~ observer u ->
  alibi refreshed_view input_of (mxvec (absorbing z)).
Proof.
move=> all_absorbed none_known noise hidden.
have shift t : (t < T)%N -> s t *: draw (absorbing z) t = z t.
  move=> tT; rewrite /draw insubT /=; apply/colP=> w; rewrite !mxE.
  by have [s0|s0] := eqVneq (s t) 0; [rewrite noise // s0 mul0r | rewrite mulrC divfK].
have signal t : s t *: draw (delta_mx start u) t = if t == start then delta_mx u 0 else 0.
  rewrite /draw; case: insubP => [i _ <-|]; last by rewrite scaler0; case: eqP => // ->; rewrite ltn_ord.
  have [->|ne] := eqVneq i start.
    by rewrite eqxx s_is_1_at_the_start scale1r; apply/colP=> w; rewrite !mxE eqxx andbT.
  rewrite val_eqE (negbTE ne); apply/colP=> w; rewrite !mxE (negbTE ne) mulr0 //.
have left t : (t < T)%N -> sent (absorbing z) t = sent (delta_mx start u) t - (arriving z t - z t).
  elim: t => [|t IH] tT /=; rewrite shift // signal.
    by rewrite !addr0 subKr.
  by rewrite IH 1?ltnW // mulmxBr opprB opprD [RHS]addrCA addrACA subrr add0r.
apply: same_messages_are_an_alibi => [t w tT sw|t v ov].
  by rewrite left // !mxE all_absorbed // subrr subr0.
rewrite !mxE none_known // mul0r; case: eqP => //= _; case: eqP => // vu.
by move: hidden; rewrite -vu ov.
Qed.

(* What two alibis have in common: the inner product of the absorbed parts, over s^2. *)
Theorem absorbing_product z z' : dot (mxvec (absorbing z)) (mxvec (absorbing z')) =
  \sum_(t < T) \sum_w z t w 0 * z' t w 0 / s t ^+ 2.
Proof.
rewrite dot_mxvec; apply: eq_bigr => t _; apply: eq_bigr => w _.
by rewrite !mxE mulf_div -expr2.
Qed.

(* The leakage of the input is at most sum z^2/s^2. *)
Theorem absorbing_bounds_the_leakage z :
  (forall t w, (t < T)%N -> speaks t w -> z t w 0 = arriving z t w 0) ->
  (forall t v, observer v -> z t v 0 = 0) -> (forall t w, s t = 0 -> z t w 0 = 0) -> ~~ observer u ->
  leakage refreshed_view input_of <= \sum_(t < T) \sum_w z t w 0 ^+ 2 / s t ^+ 2.
Proof.
move=> absorbed known noise hidden.
apply: le_trans (leakage_is_at_most_alibi (absorbing_is_an_alibi absorbed known noise hidden)) _.
by rewrite /energy absorbing_product.
Qed.

End OneInput.

Section FirstPassage.

Variable u : 'I_n.
Hypothesis s_starts_at_1 : s 0 = 1.
Hypothesis T_positive : (0 < T)%N.

Let start : 'I_T := Ordinal T_positive.
Let input := input_of u start.

(* The probability that the walk from u is in w at time t, and meets a speaker for the first time then. *)
Fixpoint not_yet (t : nat) : 'cV[R]_n :=
  if t is r.+1 then W r *m (\col_w if speaks r w then 0 else not_yet r w 0) else delta_mx u 0.

Definition first_passage (t : nat) (w : 'I_n) : R := if speaks t w then not_yet t w 0 else 0.

Lemma arriving_first_passage t : arriving u start (fun r => \col_w first_passage r w) t = not_yet t.
Proof.
elim: t => [|t IH] /=; first by rewrite addr0.
rewrite IH add0r; congr (_ *m _); apply/colP=> w; rewrite !mxE /first_passage.
by case: ifP => _; rewrite ?subrr ?subr0.
Qed.

(* The first-passage bound, with any noise: sum over times and speakers of the squared probability over s_t^2. *)
Theorem first_passage_bound_with_any_noise :
  (forall t, s t != 0) -> (forall t v, observer v -> ~~ speaks t v) -> ~~ observer u ->
  leakage refreshed_view input <= \sum_(t < T) \sum_(w | speaks t w) first_passage t w ^+ 2 / s t ^+ 2.
Proof.
move=> noise outside hidden; pose z t : 'cV[R]_n := \col_w first_passage t w.
have -> : \sum_(t < T) \sum_(w | speaks t w) first_passage t w ^+ 2 / s t ^+ 2 =
          \sum_(t < T) \sum_w z t w 0 ^+ 2 / s t ^+ 2.
  apply: eq_bigr => t _; rewrite big_mkcond; apply: eq_bigr => w _; rewrite mxE /first_passage.
  by case: (speaks t w); rewrite // expr0n mul0r.
apply: absorbing_bounds_the_leakage => // [t w tT sw|t v ov|t w st0].
- by rewrite arriving_first_passage mxE /first_passage sw.
- by rewrite mxE /first_passage (negbTE (outside t v ov)).
- by move: (noise t); rewrite st0 eqxx.
Qed.

(* The first-passage bound of SPEC 8: noise 1 at the start and tau at every later step. *)
Theorem first_passage_bound tau :
  tau != 0 -> (forall t, s t.+1 = tau) -> (forall t v, observer v -> ~~ speaks t v) -> ~~ observer u ->
  leakage refreshed_view input <=
    (speaks 0%N u)%:R + tau ^- 2 * \sum_(1 <= t < T) \sum_(w | speaks t w) first_passage t w ^+ 2.
Proof.
move=> tau0 s_tau outside hidden.
have noise t : s t != 0 by case: t => [|t]; rewrite ?s_starts_at_1 ?oner_eq0 ?s_tau.
apply: le_trans (first_passage_bound_with_any_noise noise outside hidden) _.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
rewrite -(big_mkord xpredT (fun t => \sum_(w | speaks t w) first_passage t w ^+ 2 / s t ^+ 2)).
rewrite big_ltn //; congr (_ + _); last first.
  rewrite mulr_sumr; apply: eq_big_nat => -[|t] // _; rewrite mulr_sumr.
  by apply: eq_bigr => w _; rewrite s_tau mulrC.
rewrite s_starts_at_1 expr1n big_mkcond (bigD1 u) //= big1 => [|w /negbTE wu].
  by rewrite addr0 /first_passage; case: (speaks 0%N u) => //=; rewrite mxE !eqxx divr1 expr1n.
by rewrite /first_passage /= mxE wu; case: (speaks 0%N w); rewrite // expr0n mul0r.
Qed.

Hypothesis W_is_stochastic : forall t, stochastic (W t).

Lemma not_yet_below t w : 0 <= not_yet t w 0 <= mixing W t w u.
Proof.
elim: t w => [|t IH] w /=; first by rewrite !mxE eqxx andbT lexx andbT ler0n.
have nn := weights_are_nonnegative (W_is_stochastic t); rewrite !mxE; apply/andP; split.
  apply: sumr_ge0 => j _; rewrite mxE mulr_ge0 //; case: ifP => // _; by case/andP: (IH j).
apply: ler_sum => j _; rewrite mxE ler_wpmul2l //.
by case/andP: (IH j) => j0 le; case: ifP => // _; exact: le_trans j0 le.
Qed.

(* A first passage is at most the probability of being there. *)
Theorem first_passage_is_at_most_the_walk t w : 0 <= first_passage t w <= mixing W t w u.
Proof.
have /andP[j0 le] := not_yet_below t w; rewrite /first_passage.
by case: ifP => _; rewrite ?j0 ?lexx //= (le_trans j0 le).
Qed.

(* The walk bound of SPEC 8: the paper's sum, with tau^2 where the paper has the squared norm of the message. *)
Theorem refreshed_walk_bound tau :
  tau != 0 -> (forall t, s t.+1 = tau) -> (forall t v, observer v -> ~~ speaks t v) -> ~~ observer u ->
  leakage refreshed_view input <=
    (speaks 0%N u)%:R + tau ^- 2 * \sum_(1 <= t < T) \sum_(w | speaks t w) mixing W t w u ^+ 2.
Proof.
move=> tau0 s_tau outside hidden; apply: le_trans (first_passage_bound tau0 s_tau outside hidden) _.
rewrite ler_add2l ler_wpmul2l ?invr_ge0 ?sqr_ge0 //; apply: ler_sum => t _; apply: ler_sum => w _.
by have /andP[f0 le] := first_passage_is_at_most_the_walk t w; rewrite ler_expn2r ?nnegrE // (le_trans f0 le).
Qed.

End FirstPassage.

End Refreshed.
