(* Noise plans (SPEC 16): potentials prove that no plan does better, and what a leaf block needs. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Muffliato Require Import gossip.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Design.

Variables (R : realFieldType) (N E : finType) (tail head : E -> N).
Implicit Types (V C : pred N) (y z s c : N -> R) (k d : E -> R).

(* A mask that no observer knows. *)
Definition hidden V e := ~~ V (tail e) && ~~ V (head e).

Definition fall y e := y (tail e) - y (head e).

(* y^T M z for the plan with variances s of the nodes and k of the masks. *)
Definition form V s k y z : R := \sum_w s w * (y w * z w) + \sum_(e | hidden V e) k e * (fall y e * fall z e).

(* z is M^-1 e_u: the potential of the loss, which is z u. *)
Definition responds V s k u z : Prop := forall y, (forall v, V v -> y v = 0) -> form V s k y z = y u.

Definition plan s k : Prop := (forall w, 0 <= s w) /\ (forall e, 0 <= k e).

Lemma form_is_not_negative V s k y : plan s k -> 0 <= form V s k y y.
Proof.
by case=> s0 k0; apply: addr_ge0; apply: sumr_ge0 => i _; rewrite mulr_ge0 // -expr2 sqr_ge0.
Qed.

Lemma form_of_difference V s k y z :
  form V s k (fun w => y w - z w) (fun w => y w - z w) = form V s k y y - form V s k y z *+ 2 + form V s k z z.
Proof.
rewrite /form mulr2n !opprD !addrA.
have -> : \sum_w s w * ((y w - z w) * (y w - z w)) =
    \sum_w s w * (y w * y w) - \sum_w s w * (y w * z w) - \sum_w s w * (y w * z w) + \sum_w s w * (z w * z w).
  by rewrite -!sumrB -big_split; apply: eq_bigr => w _ /=; ring.
have -> : \sum_(e | hidden V e) k e * (fall (fun w => y w - z w) e * fall (fun w => y w - z w) e) =
    \sum_(e | hidden V e) k e * (fall y e * fall y e) - \sum_(e | hidden V e) k e * (fall y e * fall z e)
    - \sum_(e | hidden V e) k e * (fall y e * fall z e) + \sum_(e | hidden V e) k e * (fall z e * fall z e).
  by rewrite -!sumrB -big_split; apply: eq_bigr => e _ /=; rewrite /fall; ring.
by ring.
Qed.

(* A plan that meets its target satisfies the cut of every potential that is 0 at the observers. *)
Theorem potentials_are_cuts V s k u z r y :
  plan s k -> (forall v, V v -> z v = 0) -> responds V s k u z -> z u <= r ->
  (forall v, V v -> y v = 0) -> y u *+ 2 - r <= form V s k y y.
Proof.
move=> p z0 res met y0; have := form_is_not_negative V (fun w => y w - z w) p.
rewrite form_of_difference (res y y0) (res z z0) => nn.
apply: (@le_trans _ _ (y u *+ 2 - z u)); first by rewrite ler_add2l ler_opp2.
by rewrite -subr_ge0 opprB addrCA addrC.
Qed.

(* Weak duality: no plan that meets the targets of the pairs costs less than the potentials say. *)
Theorem no_plan_costs_less_than_potentials_prove (I : finType) (V : I -> pred N) (u : I -> N) (r lambda : I -> R)
    (y z : I -> N -> R) s k c d :
  plan s k ->
  (forall i v, V i v -> z i v = 0) -> (forall i, responds (V i) s k (u i) (z i)) -> (forall i, z i (u i) <= r i) ->
  (forall i v, V i v -> y i v = 0) -> (forall i, 0 <= lambda i) ->
  (forall w, \sum_i lambda i * (y i w) ^+ 2 <= c w) ->
  (forall e, \sum_(i | hidden (V i) e) lambda i * (fall (y i) e) ^+ 2 <= d e) ->
  \sum_i lambda i * (y i (u i) *+ 2 - r i) <= \sum_w s w * c w + \sum_e k e * d e.
Proof.
move=> p z0 res met y0 l0 nodes masks; have [s0 k0] := p.
apply: (@le_trans _ _ (\sum_i lambda i * form (V i) s k (y i) (y i))).
  by apply: ler_sum => i _; apply: ler_wpmul2l (potentials_are_cuts p (z0 i) (res i) (met i) (y0 i)).
under eq_bigr do rewrite /form mulrDr !mulr_sumr.
rewrite big_split /=; apply: ler_add.
  rewrite exchange_big /=; apply: ler_sum => w _; apply: le_trans (ler_wpmul2l (s0 w) (nodes w)).
  by rewrite mulr_sumr; apply: ler_sum => i _; rewrite expr2 mulrCA.
under eq_bigr do rewrite big_mkcond /=.
rewrite exchange_big /=; apply: ler_sum => e _; apply: le_trans (ler_wpmul2l (k0 e) (masks e)).
rewrite mulr_sumr [leRHS]big_mkcond /=; apply: ler_sum => i _; case: ifP => // _.
by rewrite expr2 mulrCA.
Qed.

(* A set that no mask leaves but at the observers needs 1/r of noise in all: a leaf block without its cut node, towards the cut node. *)
Theorem what_observers_cut_off_needs_its_own_noise V C s k u z r :
  plan s k -> (forall v, V v -> z v = 0) -> responds V s k u z -> z u <= r -> 0 < r ->
  C u -> (forall w, C w -> ~~ V w) -> (forall e, hidden V e -> C (tail e) = C (head e)) ->
  r^-1 <= \sum_(w | C w) s w.
Proof.
move=> p z0 res met r0 Cu apart closed; pose y w : R := if C w then r else 0.
have y0 v : V v -> y v = 0 by rewrite /y => Vv; case: ifP => // /apart; rewrite Vv.
have := potentials_are_cuts p z0 res met y0; rewrite {1}/y Cu mulr2n addrK.
have -> : form V s k y y = r ^+ 2 * \sum_(w | C w) s w.
  rewrite /form [X in _ + X]big1 ?addr0 => [|e he]; last by rewrite /fall /y (closed e he) subrr mul0r mulr0.
  rewrite mulr_sumr [RHS]big_mkcond /=; apply: eq_bigr => w _; rewrite /y.
  by case: ifP => _; rewrite ?mul0r ?mulr0 // expr2 mulrC.
rewrite expr2 -mulrA -{1}[r]mulr1 ler_pmul2l // => enough.
by rewrite -div1r ler_pdivr_mulr // mulrC.
Qed.

(* Leaf blocks are parties of their own: m sets that do not meet, each cut off by some observer, need m/r in all. *)
Theorem leaf_blocks_bound_the_noise m (V C : 'I_m -> pred N) (u : 'I_m -> N) (z : 'I_m -> N -> R) s k r :
  plan s k -> (forall i v, V i v -> z i v = 0) -> (forall i, responds (V i) s k (u i) (z i)) ->
  (forall i, z i (u i) <= r) -> 0 < r -> (forall i, C i (u i)) -> (forall i w, C i w -> ~~ V i w) ->
  (forall i e, hidden (V i) e -> C i (tail e) = C i (head e)) ->
  (forall i j w, C i w -> C j w -> i = j) -> m%:R / r <= \sum_w s w.
Proof.
move=> p z0 res met r0 Cu apart closed alone; have [s0 _] := p.
apply: (@le_trans _ _ (\sum_i \sum_(w | C i w) s w)).
  rewrite -[m in m%:R]card_ord -sum1_card natr_sum mulr_suml; apply: ler_sum => i _; rewrite mul1r.
  exact: (what_observers_cut_off_needs_its_own_noise p (z0 i) (res i) (met i) r0 (Cu i) (apart i) (closed i)).
under eq_bigr do rewrite big_mkcond /=.
rewrite exchange_big /=; apply: ler_sum => w _.
have [i Ci|none] := pickP (fun i => C i w).
  by rewrite (bigD1 i) //= Ci big1 ?addr0 // => j ji; case: ifP => // Cj; rewrite (alone _ _ _ Cj Ci) eqxx in ji.
by rewrite big1 // => i _; rewrite none.
Qed.

(* A component of m nodes without a cut node: towards each of its nodes the others need 1/r, so that all need m/(m-1) r. *)
Theorem a_component_without_a_cut_node_needs_m_over_m_minus_1 C (u : N -> N) (z : N -> N -> R) s k r :
  plan s k -> 0 < r -> (1 < #|C|)%N -> (forall e, C (tail e) = C (head e)) ->
  (forall v, C v -> [/\ z v v = 0, responds (pred1 v) s k (u v) (z v), z v (u v) <= r, C (u v) & u v != v]) ->
  #|C|%:R / (#|C|.-1%:R * r) <= \sum_(w | C w) s w.
Proof.
move=> p r0 several closed met; set noise := \sum_(w | C w) s w.
have m0 : 0 < #|C|.-1%:R :> R by rewrite ltr0n -subn1 subn_gt0.
have each v : C v -> r^-1 <= noise - s v.
  move=> Cv; have [zv res most Cu uv] := met v Cv.
  have -> : noise - s v = \sum_(w | C w && (w != v)) s w by rewrite /noise (bigD1 v) //= addrAC subrr add0r.
  apply: (what_observers_cut_off_needs_its_own_noise (C := [pred w | C w && (w != v)]) p _ res most r0) => /=;
    [by move=> w /eqP->|by rewrite Cu uv|by move=> w /andP[]|by move=> e /andP[te he]; rewrite (closed e) te he].
have all : #|C|%:R / r <= #|C|.-1%:R * noise.
  have -> : #|C|%:R / r = \sum_(v | C v) r^-1 by rewrite sumr_const mulr_natl.
  apply: (@le_trans _ _ (\sum_(v | C v) (noise - s v))); [by apply: ler_sum|rewrite sumrB]; rewrite sumr_const -/noise.
  by rewrite -{1}(prednK (ltnW several)) mulrS addrAC subrr add0r mulr_natl.
by rewrite invfM mulrCA ler_pdivr_mull // mulrC in all *; rewrite mulrC.
Qed.

End Design.

Section Columns.

Variables (R : realFieldType) (n : nat).

(* Noise of one node never costs less than 1/n: its shares after any steps sum to 1. *)
Theorem columns_of_mixing_have_at_least_1_over_n (edge : nat -> rel 'I_n) (W : nat -> 'M[R]_n) t w :
  (forall q, gossip_matrix (edge q) (W q)) -> n%:R^-1 <= \sum_i mixing W t i w ^+ 2.
Proof.
move=> gossip; have n0 : n%:R != 0 :> R by rewrite pnatr_eq0; case: n w => [[]|].
have one : \sum_i mixing W t i w = 1.
  have := mixing_keeps_the_sum (delta_mx w 0) t gossip; rewrite /total -colE.
  under eq_bigr do rewrite mxE.
  move=> ->; rewrite (bigD1 w) //= mxE !eqxx big1 ?addr0 // => i iw; by rewrite mxE (negPf iw).
pose c : R := n%:R^-1; have : 0 <= \sum_i (mixing W t i w - c) ^+ 2 by apply: sumr_ge0 => i _; exact: sqr_ge0.
have square i : (mixing W t i w - c) ^+ 2 = mixing W t i w ^+ 2 - 2%:R * c * mixing W t i w + c ^+ 2 by ring.
under eq_bigr do rewrite square.
rewrite big_split sumrB /= -mulr_sumr one mulr1 sumr_const card_ord -[c ^+ 2 *+ n]mulr_natl expr2 mulrA divff // mul1r.
have -> : forall S : R, S - 2%:R * c + c = S - c by move=> S; ring.
by rewrite subr_ge0.
Qed.

End Columns.
