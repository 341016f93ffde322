(* What holds of the paper's formulas (SPEC 6 and 10): the mean-loss identity, Corollary 1 above Theorem 1, and
   acceleration as post-processing in averaging. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Muffliato Require Import gossip leakage.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PaperHolds.

Variables (R : realFieldType) (n : nat).
Implicit Types (W : 'M[R]_n) (hears : nat -> pred 'I_n).

(* The share of u in one message: its squared coefficient over the squared norm. *)
Definition share (message : 'rV[R]_n) (u : 'I_n) : R := message 0 u ^+ 2 / energy message.

(* Theorem 1 of the paper: f(u, v), the shares of u in all messages that are heard. *)
Definition pairwise_bound (W : nat -> 'M[R]_n) hears (T : nat) (u : 'I_n) : R :=
  \sum_(t < T) \sum_(w | hears t w) share (row w (mixing W t)) u.

(* W^t. *)
Definition power W (t : nat) : 'M[R]_n := mixing (fun=> W) t.

(* Corollary 1 of the paper. *)
Definition random_walk_bound (edge : rel 'I_n) W (T : nat) (u v : 'I_n) : R :=
  n%:R * \big[Num.max/0]_(w | edge v w) (W v w ^- 2) * \sum_(1 <= t < T.+1) power W t u v ^+ 2.

Lemma stochastic_row_energy W w : stochastic W -> 1 <= n%:R * energy (row w W).
Proof.
case=> _ sum1; have := cauchy_schwarz (row w W) (const_mx 1).
have -> : dot (row w W) (const_mx 1) = 1.
  by rewrite dotE -[RHS](sum1 w); apply: eq_bigr => j _; rewrite !mxE mulr1.
have -> : energy (const_mx 1 : 'rV[R]_n) = n%:R.
  rewrite energyE (eq_bigr (fun=> 1)) => [|j _]; last by rewrite mxE expr1n.
  by rewrite sumr_const card_ord.
by rewrite expr1n mulrC.
Qed.

(* The shares of all users in a message that is not zero sum to exactly one. *)
Theorem shares_sum_to_one message : energy message != 0 -> \sum_u share message u = 1.
Proof. by move=> e0; rewrite -mulr_suml -energyE divff. Qed.

(* The mean-loss identity: summed over all users, f(u, v) is exactly the number of messages that v receives. *)
Theorem mean_loss_identity (W : nat -> 'M[R]_n) hears T :
  (forall s, stochastic (W s)) ->
  \sum_u pairwise_bound W hears T u = (\sum_(t < T) #|hears t|)%:R.
Proof.
move=> stW; rewrite exchange_big natr_sum; apply: eq_bigr => t _.
rewrite exchange_big /= -sum1_card natr_sum; apply: eq_bigr => w _; apply: shares_sum_to_one.
have := stochastic_row_energy w (mixing_is_stochastic t stW).
by apply: contraTneq => ->; rewrite mulr0 ler10.
Qed.

Lemma power_next W t : power W t.+1 = power W t *m W.
Proof.
elim: t => [|t IH]; first by rewrite /power /= mulmx1 mul1mx.
by rewrite -[LHS]/(W *m power W t.+1) {1}IH mulmxA.
Qed.

Lemma power_symmetric W t : W^T = W -> (power W t)^T = power W t.
Proof.
move=> sym; elim: t => [|t IH]; first by rewrite /power /= trmx1.
by rewrite power_next trmx_mul IH sym -power_next.
Qed.

Lemma below_max (P : pred 'I_n) (F : 'I_n -> R) w : P w -> F w <= \big[Num.max/0]_(i | P i) F i.
Proof.
move=> Pw; have : w \in index_enum [finType of 'I_n] by rewrite mem_index_enum.
elim: (index_enum _) => // i s IH; rewrite in_cons big_cons => /orP[/eqP<-|/IH le].
  by rewrite Pw le_maxr lexx.
by case: ifP => // _; rewrite le_maxr le orbT.
Qed.

(* Corollary 1 is at least Theorem 1, on every graph, wherever the weights of v's edges are not zero. *)
Theorem corollary_1_is_above_theorem_1 edge W T u v :
  gossip_matrix edge W -> (forall w, edge v w -> W v w != 0) ->
  pairwise_bound (fun=> W) (fun=> edge v) T u <= random_walk_bound edge W T u v.
Proof.
case=> stW sym _ pos; rewrite /random_walk_bound big_add1 /= big_mkord mulr_sumr.
apply: ler_sum => t _; set worst := \big[Num.max/0]_(w | _) _.
have st : stochastic (power W t) by apply: mixing_is_stochastic.
have [nnW nnP] := (weights_are_nonnegative stW, weights_are_nonnegative st).
rewrite -(power_symmetric _ sym) mxE.
have -> : power W t.+1 v u = \sum_j W v j * power W t j u by rewrite [LHS]mxE.
have term w : edge v w -> share (row w (power W t)) u <= n%:R * worst * (W v w * power W t w u) ^+ 2.
  move=> vw; have big := stochastic_row_energy w st.
  have e0 : 0 < energy (row w (power W t)).
    rewrite lt_def energy_ge0 andbT; apply: contraTneq big => ->; by rewrite mulr0 ler10.
  rewrite /share mxE ler_pdivr_mulr // exprMn.
  have one : 1 <= worst * W v w ^+ 2.
    by rewrite -ler_pdivr_mulr ?exprn_even_gt0 ?pos // mul1r; apply: (@below_max (edge v) (fun i => W v i ^- 2)).
  rewrite -[leLHS]mul1r; set p := power W t w u ^+ 2.
  have -> : n%:R * worst * (W v w ^+ 2 * p) * energy (row w (power W t)) =
    (worst * W v w ^+ 2) * (n%:R * energy (row w (power W t))) * p by ring.
  by rewrite ler_wpmul2r ?sqr_ge0 // -[leLHS]mul1r ler_pmul ?ler01.
apply: le_trans (ler_sum _ term) _; rewrite -mulr_sumr.
have worst0 : 0 <= worst by elim/big_rec: worst {term} => // i x _ x0; rewrite le_maxr x0 orbT.
apply: ler_wpmul2l; first by rewrite mulr_ge0 ?ler0n.
set S := (X in _ <= X ^+ 2).
have S0 : 0 <= S by apply: sumr_ge0 => j _; apply: mulr_ge0.
have below w : W v w * power W t w u <= S.
  by rewrite /S (bigD1 w) //= ler_addl sumr_ge0 // => j _; apply: mulr_ge0.
apply: (@le_trans _ _ (\sum_w (W v w * power W t w u) * S)).
  rewrite big_mkcond /=; apply: ler_sum => w _.
  have nn : 0 <= W v w * power W t w u by apply: mulr_ge0.
  by case: ifP => _; [rewrite expr2 ler_wpmul2l|apply: mulr_ge0].
by rewrite -mulr_suml expr2.
Qed.

(* Accelerated gossip: P_0 = 1, P_1 = W, P_{t+2} = g W P_{t+1} + (1-g) P_t. *)
Fixpoint accelerated (g : R) W (t : nat) : 'M[R]_n :=
  match t with
  | 0 => 1%:M
  | 1 => W
  | (t'.+1 as s).+1 => g *: (W *m accelerated g W s) + (1 - g) *: accelerated g W t'
  end.

Section Acceleration.

Variables (m : nat) (K : 'M[R]_(m, n)) (g : R) (W : 'M[R]_n).
Hypothesis g_not_zero : g != 0.

Let plain T := (\sum_(t < T) <<K *m power W t>>)%MS.
Let fast T := (\sum_(t < T) <<K *m accelerated g W t>>)%MS.

Lemma accelerated_step t :
  accelerated g W t.+2 = g *: (W *m accelerated g W t.+1) + (1 - g) *: accelerated g W t.
Proof. by []. Qed.

Lemma accelerated_commutes t : W *m accelerated g W t = accelerated g W t *m W.
Proof.
suff: W *m accelerated g W t = accelerated g W t *m W /\
      W *m accelerated g W t.+1 = accelerated g W t.+1 *m W by case.
elim: t => [|t [IH0 IH1]]; first by rewrite /= mulmx1 mul1mx.
split=> //; rewrite accelerated_step mulmxDr mulmxDl -!scalemxAr -!scalemxAl IH0.
by rewrite -(mulmxA W _ W) -IH1.
Qed.

Lemma plain_step T : (plain T *m W <= plain T.+1)%MS.
Proof.
rewrite sumsmxMr; apply/sumsmx_subP => t _; rewrite (eqmxMr _ (genmxE _)) -mulmxA -power_next.
have tT : (t.+1 < T.+1)%N by rewrite ltnS.
by rewrite (sumsmx_sup (Ordinal tT)) // genmxE.
Qed.

Lemma plain_grows T : (plain T <= plain T.+1)%MS.
Proof. by rewrite /plain big_ord_recr addsmxSl. Qed.

Lemma fast_grows T : (fast T <= fast T.+1)%MS.
Proof. by rewrite /fast big_ord_recr addsmxSl. Qed.

(* The accelerated message of time t is a multiple of the plain one, up to earlier plain messages. *)
Lemma leading_term t : exists2 c, c != 0 &
  (K *m accelerated g W t - c *: (K *m power W t) <= plain t)%MS.
Proof.
suff: (exists2 c, c != 0 & (K *m accelerated g W t - c *: (K *m power W t) <= plain t)%MS) /\
      (exists2 c, c != 0 & (K *m accelerated g W t.+1 - c *: (K *m power W t.+1) <= plain t.+1)%MS) by case.
elim: t => [|t [[c0 _ low0] [c c1 low]]].
  by split; exists 1; rewrite ?oner_neq0 // scale1r /power /= ?mulmx1 subrr sub0mx.
split; first by exists c.
exists (g * c); first exact: mulf_neq0.
rewrite accelerated_step accelerated_commutes mulmxDr -!scalemxAr mulmxA power_next mulmxA.
rewrite addrAC -scalerA -scalerBr (scalemxAl c) -mulmxBl; apply: addmx_sub; apply: scalemx_sub.
  by apply: submx_trans (plain_step _); apply: submxMr.
rewrite -[K *m _](subrK (c0 *: (K *m power W t))); apply: addmx_sub.
  by apply: submx_trans low0 _; apply: submx_trans (plain_grows _) (plain_grows _).
apply: scalemx_sub; apply: submx_trans (plain_grows _).
by rewrite /plain big_ord_recr /= (submx_trans _ (addsmxSr _ _)) // genmxE.
Qed.

(* Accelerated and plain gossip span the same space of messages, at every T. *)
Theorem acceleration_spans_the_same T :
  (\sum_(t < T) <<K *m accelerated g W t>> :=: \sum_(t < T) <<K *m power W t>>)%MS.
Proof.
apply/eqmxP; rewrite -/(plain T) -/(fast T); elim: T => [|T /andP[IH1 IH2]].
  by rewrite /plain /fast !big_ord0 submx_refl.
have [c c0 low] := leading_term T; apply/andP; split; rewrite {1}/fast {1}/plain big_ord_recr /= addsmx_sub genmxE.
  rewrite (submx_trans IH1 (plain_grows T)) -[K *m _](subrK (c *: (K *m power W T))).
  apply: addmx_sub; first exact: submx_trans low (plain_grows T).
  by apply: scalemx_sub; rewrite /plain big_ord_recr /= (submx_trans _ (addsmxSr _ _)) // genmxE.
rewrite (submx_trans IH2 (fast_grows T)) -[K *m _](scalerK c0); apply: scalemx_sub.
rewrite -[c *: _](subKr (K *m accelerated g W T)); apply: addmx_sub.
  by rewrite /fast big_ord_recr /= (submx_trans _ (addsmxSr _ _)) // genmxE.
by rewrite eqmx_opp; apply: submx_trans low (submx_trans IH2 (fast_grows T)).
Qed.

(* Acceleration is post-processing in averaging: an observer of either loses nothing and gains nothing. *)
Theorem acceleration_leaks_the_same p (known : 'M[R]_(p, n)) T z :
  leakage (\sum_(t < T) <<K *m accelerated g W t>> + known)%MS z =
  leakage (\sum_(t < T) <<K *m power W t>> + known)%MS z.
Proof.
by apply: leakage_depends_on_the_span; apply: adds_eqmx => //; apply: acceleration_spans_the_same.
Qed.

End Acceleration.

End PaperHolds.
