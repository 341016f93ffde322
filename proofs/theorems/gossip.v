(* Gossip matrices (SPEC 2): what they are, that they stay so under products, and that the weights of the project
   are gossip matrices on every graph, with nodes missing or not. *)
From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Graphs.

Variable n : nat.
Implicit Types (edge : rel 'I_n) (away : pred 'I_n).

(* A graph: edges have no direction and join two different nodes. *)
Record graph edge : Prop := Graph {
  edges_go_both_ways : symmetric edge;
  no_edge_is_a_loop : irreflexive edge }.

Definition degree edge (i : 'I_n) : nat := #|edge i|.

(* Nobody talks to those who are away. *)
Definition isolate away edge : rel 'I_n :=
  fun i j => [&& ~~ away i, ~~ away j & edge i j].

(* v can be reached from u in at most d steps: the distance is at most d. *)
Fixpoint within edge (d : nat) (u v : 'I_n) : bool :=
  if d is d'.+1 then within edge d' u v || [exists w, within edge d' u w && edge w v]
  else u == v.

(* The graph with the edges of a list. *)
Definition joins (edges : seq (nat * nat)) (i j : nat) : bool :=
  has (fun e => (e.1 == i) && (e.2 == j) || (e.1 == j) && (e.2 == i)) edges.

Definition graph_on (edges : seq (nat * nat)) : rel 'I_n := fun i j => joins edges i j.

(* What is left when nodes leave is a graph. *)
Theorem isolation_leaves_a_graph edge away : graph edge -> graph (isolate away edge).
Proof.
case=> both loop; split=> [i j|i]; rewrite /isolate.
  by rewrite both andbCA.
by rewrite loop !andbF.
Qed.

Lemma degree_positive edge i j : edge i j -> (0 < degree edge i)%N.
Proof. by move=> ij; apply/card_gt0P; exists j. Qed.

End Graphs.

Section GossipMatrices.

Variable R : realFieldType.

Lemma transpose_scaled m n c (A : 'M[R]_(m, n)) : (c *: A)^T = c *: A^T.
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Section OneSize.

Variable n : nat.
Implicit Types (edge : rel 'I_n) (W : 'M[R]_n) (x : 'cV[R]_n).

(* Non-negative, and every row sums to exactly 1. *)
Record stochastic W : Prop := Stochastic {
  weights_are_nonnegative : forall i j, 0 <= W i j;
  rows_sum_to_one : forall i, \sum_j W i j = 1 }.

(* Symmetric, stochastic, and zero away from the edges and the diagonal. *)
Record gossip_matrix edge W : Prop := GossipMatrix {
  gossip_is_stochastic : stochastic W;
  gossip_is_symmetric : W^T = W;
  gossip_stays_on_edges : forall i j, i != j -> ~~ edge i j -> W i j = 0 }.

Definition total x : R := \sum_i x i 0.

(* W_{0:t} = W_{t-1} ... W_1 W_0: what t steps of gossip do. *)
Fixpoint mixing (W : nat -> 'M[R]_n) (t : nat) : 'M[R]_n :=
  if t is s.+1 then W s *m mixing W s else 1%:M.

(* Doing nothing is stochastic. *)
Theorem identity_is_stochastic : stochastic (1%:M : 'M[R]_n).
Proof.
split=> [i j|i]; first by rewrite mxE ler0n.
rewrite (bigD1 i) //= mxE eqxx big1 ?addr0 // => j; rewrite mxE eq_sym.
by move=> /negbTE->.
Qed.

(* A product of stochastic matrices is stochastic. *)
Theorem product_of_stochastic_is_stochastic W1 W2 :
  stochastic W1 -> stochastic W2 -> stochastic (W1 *m W2).
Proof.
move=> [nn1 sum1] [nn2 sum2]; split=> [i j|i].
  by rewrite mxE; apply: sumr_ge0 => k _; apply: mulr_ge0.
under eq_bigr do rewrite mxE.
rewrite exchange_big /= -[RHS](sum1 i); apply: eq_bigr => k _.
by rewrite -mulr_sumr sum2 mulr1.
Qed.

(* Any number of steps with any stochastic matrices is stochastic. *)
Theorem mixing_is_stochastic (W : nat -> 'M[R]_n) t :
  (forall s, stochastic (W s)) -> stochastic (mixing W t).
Proof.
move=> stW; elim: t => [|t IH] /=; first exact: identity_is_stochastic.
exact: product_of_stochastic_is_stochastic.
Qed.

(* A symmetric stochastic matrix keeps the sum of the values. *)
Theorem gossip_keeps_the_sum edge W x : gossip_matrix edge W -> total (W *m x) = total x.
Proof.
move=> [[_ sumW] sym _]; rewrite /total.
under eq_bigr do rewrite mxE.
rewrite exchange_big /=; apply: eq_bigr => k _.
rewrite -mulr_suml -[RHS]mul1r; congr (_ * _).
by rewrite -[RHS](sumW k); apply: eq_bigr => i _; rewrite -{1}sym mxE.
Qed.

(* Any number of steps, on graphs that change, keeps the sum of the values. *)
Theorem mixing_keeps_the_sum (edge : nat -> rel 'I_n) (W : nat -> 'M[R]_n) x t :
  (forall s, gossip_matrix (edge s) (W s)) -> total (mixing W t *m x) = total x.
Proof.
move=> gW; elim: t => [|t IH] /=; first by rewrite mul1mx.
by rewrite -mulmxA (gossip_keeps_the_sum _ (gW t)).
Qed.

(* Weights of the edges, completed by the diagonal that makes the rows sum to 1. *)
Definition completed (weight : 'I_n -> 'I_n -> R) : 'M[R]_n :=
  \matrix_(i, j) if i == j then 1 - \sum_(k | k != i) weight i k else weight i j.

(* Symmetric non-negative weights on the edges, at most 1 in a row, complete to a gossip matrix. *)
Theorem completed_weights_are_a_gossip_matrix edge weight :
  (forall i j, weight i j = weight j i) ->
  (forall i j, 0 <= weight i j) ->
  (forall i j, ~~ edge i j -> weight i j = 0) ->
  (forall i, \sum_(k | k != i) weight i k <= 1) ->
  gossip_matrix edge (completed weight).
Proof.
move=> sym nn supp row; split.
- split=> [i j|i].
    by rewrite mxE; case: eqP => // _; rewrite subr_ge0.
  rewrite (bigD1 i) //= mxE eqxx [X in _ + X](eq_bigr (weight i)) ?subrK // => j /negbTE ji.
  by rewrite mxE eq_sym ji.
- by apply/matrixP=> i j; rewrite !mxE eq_sym; case: eqP => [->|].
- by move=> i j ij nedge; rewrite mxE (negbTE ij) supp.
Qed.

(* 1 / (1 + max(d_u, d_v)) on every edge. *)
Definition metropolis edge : 'M[R]_n :=
  completed (fun i j => if edge i j then (1 + maxn (degree edge i) (degree edge j))%:R^-1 else 0).

(* 1 / max(d_u, d_v) on every edge. *)
Definition max_degree_inverse edge : 'M[R]_n :=
  completed (fun i j => if edge i j then (maxn (degree edge i) (degree edge j))%:R^-1 else 0).

(* Half of what was, and half of staying. *)
Definition lazy W : 'M[R]_n := 2%:R^-1 *: (1%:M + W).

(* u and v average: one step of randomized gossip. *)
Definition edge_average (u v : 'I_n) : 'M[R]_n :=
  let d : 'rV[R]_n := delta_mx 0 u - delta_mx 0 v in 1%:M - 2%:R^-1 *: (d^T *m d).

Lemma at_most_degree_terms edge (bound : R) i (weight : 'I_n -> R) :
  irreflexive edge -> 0 <= bound -> (degree edge i)%:R * bound <= 1 ->
  (forall k, edge i k -> weight k <= bound) ->
  \sum_(k | k != i) (if edge i k then weight k else 0) <= 1.
Proof.
move=> loop b0 db wb; apply: le_trans db.
rewrite -big_mkcondr /= (eq_bigl (edge i)); last first.
  by move=> k; case: eqP => [->|] //; rewrite loop.
rewrite /degree mulr_natl -sumr_const; exact: ler_sum.
Qed.

(* Metropolis weights are a gossip matrix on every graph. *)
Theorem metropolis_is_a_gossip_matrix edge : graph edge -> gossip_matrix edge (metropolis edge).
Proof.
case=> both loop; apply: completed_weights_are_a_gossip_matrix => [i j|i j|i j|i].
- by rewrite both maxnC.
- by case: ifP => // _; rewrite invr_ge0 ler0n.
- by move=> /negbTE->.
- apply: (@at_most_degree_terms _ (1 + degree edge i)%:R^-1) => //.
  + by rewrite invr_ge0 ler0n.
  + by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat leq_addl.
  + by move=> k _; rewrite lef_pinv ?posrE ?ltr0n // ler_nat leq_add2l leq_maxl.
Qed.

(* Inverses of the larger degree are a gossip matrix on every graph. *)
Theorem max_degree_inverse_is_a_gossip_matrix edge :
  graph edge -> gossip_matrix edge (max_degree_inverse edge).
Proof.
case=> both loop; apply: completed_weights_are_a_gossip_matrix => [i j|i j|i j|i].
- by rewrite both maxnC.
- by case: ifP => // _; rewrite invr_ge0 ler0n.
- by move=> /negbTE->.
- apply: (@at_most_degree_terms _ (degree edge i)%:R^-1) => //.
  + by rewrite invr_ge0 ler0n.
  + by case: (degree edge i) => [|d]; rewrite ?mul0r ?ler01 // divff // pnatr_eq0.
  + move=> k /degree_positive d0.
    by rewrite lef_pinv ?posrE ?ltr0n ?leq_max ?d0 // ler_nat leq_maxl.
Qed.

(* The lazy version of a gossip matrix is one. *)
Theorem lazy_is_a_gossip_matrix edge W : gossip_matrix edge W -> gossip_matrix edge (lazy W).
Proof.
case=> [[nn sum1] sym supp]; have [nn1 sumI] := identity_is_stochastic; split.
- split=> [i j|i]; first by rewrite !mxE mulr_ge0 ?invr_ge0 ?ler0n ?addr_ge0 // ler0n.
  under eq_bigr => j _ do rewrite 2!mxE mulrDr.
  by rewrite big_split /= -!mulr_sumr sum1 sumI mulr1 -mulr2n -[X in X *+ 2]mulr1 -mulrnAr mulVf // pnatr_eq0.
- by rewrite /lazy transpose_scaled linearD /= trmx1 sym.
- by move=> i j ij nedge; rewrite !mxE (negbTE ij) supp // addr0 mulr0.
Qed.

(* In the lazy version everybody keeps at least half. *)
Theorem lazy_keeps_at_least_half edge W i : gossip_matrix edge W -> 2%:R^-1 <= lazy W i i.
Proof.
case=> [[nn _] _ _]; rewrite !mxE eqxx mulrDr mulr1 ler_addl.
by rewrite mulr_ge0 ?invr_ge0 ?ler0n.
Qed.

Lemma edge_average_entry u v i j : edge_average u v i j =
  (i == j)%:R - 2%:R^-1 * (((i == u)%:R - (i == v)%:R) * ((j == u)%:R - (j == v)%:R)).
Proof. by rewrite !mxE big_ord1 !mxE !eqxx. Qed.

(* The average over an edge of a graph is a gossip matrix. *)
Theorem edge_average_is_a_gossip_matrix edge u v :
  graph edge -> edge u v -> gossip_matrix edge (edge_average u v).
Proof.
case=> both loop uv.
have neq : u != v by apply: contraTneq uv => ->; rewrite loop.
have entry := edge_average_entry u v.
have half : 0 <= 2%:R^-1 :> R by rewrite invr_ge0 ler0n.
have half1 : 0 <= 1 - 2%:R^-1 :> R by rewrite subr_ge0 invf_le1 ?ltr0n // ler1n.
split; first split.
- move=> i j; rewrite entry; have [<-|ij] := eqVneq i j.
    have [->|iu] := eqVneq i u; first by rewrite (negbTE neq) subr0 !mulr1.
    case: eqVneq => _; first by rewrite sub0r mulrNN !mulr1.
    by rewrite subrr !mulr0 subr0 ler01.
  rewrite sub0r -mulrN mulr_ge0 //.
  have [iu|iu] := eqVneq i u.
    by rewrite -iu [j == i]eq_sym (negbTE ij) iu (negbTE neq) subr0 sub0r mul1r opprK ler0n.
  have [iv|iv] := eqVneq i v; last by rewrite subrr mul0r oppr0.
  by rewrite -iv [j == i]eq_sym (negbTE ij) sub0r subr0 mulNr mul1r opprK ler0n.
- have one (k : 'I_n) : \sum_j (j == k)%:R = 1 :> R.
    by rewrite (bigD1 k) //= eqxx big1 ?addr0 // => j /negbTE->.
  move=> i; under eq_bigr do rewrite entry.
  rewrite sumrB -!mulr_sumr sumrB !one subrr !mulr0 subr0.
  by rewrite -[RHS](one i); apply: eq_bigr => j _; rewrite eq_sym.
- by rewrite /edge_average linearB /= transpose_scaled trmx1 trmx_mul trmxK.
- move=> i j ij nedge; rewrite entry (negbTE ij) sub0r.
  have [iu|iu] := eqVneq i u.
    have /negbTE-> : j != u by rewrite -iu eq_sym.
    have /negbTE-> : j != v by apply: contraNneq nedge => ->; rewrite iu.
    by rewrite subrr !mulr0 oppr0.
  have [iv|iv] := eqVneq i v; last by rewrite subrr mul0r mulr0 oppr0.
  have /negbTE-> : j != v by rewrite -iv eq_sym.
  have /negbTE-> : j != u by apply: contraNneq nedge => ->; rewrite iv both.
  by rewrite subrr !mulr0 oppr0.
Qed.

(* Averaging twice over the same edge is averaging once. *)
Theorem edge_average_is_idempotent u v :
  u != v -> edge_average u v *m edge_average u v = edge_average u v.
Proof.
move=> neq; rewrite /edge_average; set d := delta_mx 0 u - delta_mx 0 v.
have dd : d *m d^T = 2%:R%:M.
  rewrite /d linearB /= mulmxBl !mulmxBr !trmx_delta !mul_delta_mx_cond eqxx.
  rewrite (negbTE neq) eq_sym (negbTE neq) !mulr0n !mulr1n subr0 sub0r opprK.
  by apply/matrixP=> i j; rewrite !mxE !ord1 !eqxx !mulr1n mxE.
set P := 2%:R^-1 *: _.
have PP : P *m P = P.
  rewrite /P -scalemxAl -scalemxAr mulmxA -(mulmxA _ d) dd mul_mx_scalar -scalemxAl.
  by rewrite scalerA mulVf ?scale1r // pnatr_eq0.
by rewrite mulmxBl !mulmxBr !mul1mx mulmx1 PP subrr subr0.
Qed.

(* Who is isolated keeps its value, under any gossip matrix of what is left. *)
Theorem isolated_nodes_keep_their_value edge (away : pred 'I_n) W i j :
  gossip_matrix (isolate away edge) W -> away i -> W i j = (i == j)%:R.
Proof.
case=> [[_ sum1] _ supp] ai.
have off k : k != i -> W i k = 0 by move=> ki; rewrite supp 1?eq_sym // /isolate ai.
have [<-|ij] := eqVneq i j; last by rewrite off // eq_sym.
by rewrite -(sum1 i) (bigD1 i) //= big1 ?addr0 // => k /off.
Qed.

(* Isolating nodes keeps Metropolis weights a gossip matrix of the graph. *)
Theorem metropolis_with_absent_nodes_is_a_gossip_matrix edge (away : pred 'I_n) :
  graph edge -> gossip_matrix edge (metropolis (isolate away edge)).
Proof.
move=> g; have [st sym supp] := metropolis_is_a_gossip_matrix (isolation_leaves_a_graph away g).
by split=> // i j ij nedge; apply: supp; rewrite // /isolate (negbTE nedge) !andbF.
Qed.

(* The diagonal of Metropolis weights, as it is computed: a sum without a subtraction of weights. *)
Theorem metropolis_diagonal_without_cancellation edge i :
  let d k := degree edge k in
  graph edge -> metropolis edge i i =
    (1 + d i)%:R^-1 + \sum_(k | edge i k) (maxn (d i) (d k) - d i)%:R / ((1 + d i)%:R * (1 + maxn (d i) (d k))%:R).
Proof.
move=> d [_ loop]; rewrite mxE eqxx -big_mkcondr /= (eq_bigl (edge i)); last first.
  by move=> k; case: eqP => [->|] //; rewrite loop.
rewrite [in RHS](eq_bigr (fun k => (1 + d i)%:R^-1 - (1 + maxn (d i) (d k))%:R^-1)).
  rewrite sumrB sumr_const -[#|_|]/(d i) addrA -mulrS -[_ *+ (d i).+1]mulr_natl.
  by rewrite divff // pnatr_eq0.
move=> k _; have le := leq_maxl (d i) (d k); set m := maxn _ _ in le *.
rewrite -[(1 + d i)%:R^-1]div1r -[(1 + m)%:R^-1]div1r -mulNr addf_div ?pnatr_eq0 // mul1r mulN1r.
by congr (_ / _); rewrite -natrB ?leq_add2l // subnDl.
Qed.

End OneSize.

End GossipMatrices.
