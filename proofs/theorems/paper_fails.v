(* What fails of the paper (SPEC 10), on instances of three and five nodes, by attacks that are written down. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Muffliato Require Import gossip leakage paper_holds.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Fractions of small numbers. *)
Ltac fractions := rewrite /maxn /= ?expr0n /= -?/(1 / _); field.

(* Every entry of a small matrix or row. *)
Ltac entries := rewrite ?(dotE, energyE, mxE) ?(big_ord_recl, big_ord0) /= ?(big_ord_recl, big_ord0, mxE) /=.

Section PaperFails.

Variable R : realFieldType.

(* The matrix and the row with the entries of a list, over a common denominator. *)
Definition matrix_of n (denominator : nat) (rows : seq (seq nat)) : 'M[R]_n :=
  \matrix_(i, j) ((nth 0%N (nth [::] rows i) j)%:R / denominator%:R).

Definition row_of n (denominator : nat) (entries : seq nat) : 'rV[R]_n :=
  \row_j ((nth 0%N entries j)%:R / denominator%:R).

(* Theorem 1 with the group U as its source: the paper's group bound. *)
Definition group_bound n (W : nat -> 'M[R]_n) (hears : nat -> pred 'I_n) (T : nat) (U : pred 'I_n) : R :=
  \sum_(t < T) \sum_(w | hears t w)
    (\sum_(u | U u) row w (mixing W t) 0 u ^+ 2) / energy (row w (mixing W t)).

Section PathOfThree.

Local Notation node k := (@Ordinal 3 k isT).

(* 0 - 1 - 2: node 2 watches node 0. *)
Definition path_of_three : rel 'I_3 := @graph_on 3 [:: (0, 1); (1, 2)]%N.

Let W : nat -> 'M[R]_3 := fun=> metropolis R path_of_three.
Let heard : nat -> pred 'I_3 := fun=> path_of_three (node 2).

Lemma degrees_on_the_path i : degree path_of_three i = nth 0%N [:: 1; 2; 1]%N i.
Proof.
rewrite /degree -sum1_card big_mkcond /= !big_ord_recl big_ord0.
by case: i => [[|[|[|i]]] ?].
Qed.

Lemma weights_on_the_path :
  metropolis R path_of_three = matrix_of 3 3 [:: [:: 2; 1; 0]; [:: 1; 1; 1]; [:: 0; 1; 2]]%N.
Proof.
apply/matrixP=> i j; rewrite !mxE; under eq_bigr do rewrite !degrees_on_the_path.
rewrite !degrees_on_the_path big_mkcond /= !big_ord_recl big_ord0.
by case: i => [[|[|[|i]]] pi] //; case: j => [[|[|[|j]]] pj] //; fractions.
Qed.

Lemma only_1_is_heard t : heard t =1 pred1 (node 1).
Proof. by case=> [[|[|[|i]]] ?]. Qed.

Lemma message_on_the_path t : (t < 2)%N -> row (node 1) (mixing W t) = row_of 3 3 (nth [::] [:: [:: 0; 3; 0]; [:: 1; 1; 1]]%N t).
Proof.
case: t => [|[|t]] // _; rewrite /W weights_on_the_path /= ?mulmx1;
  by apply/rowP=> j; rewrite !mxE; case: j => [[|[|[|j]]] pj] //; fractions.
Qed.

Lemma charged_on_the_path : pairwise_bound W heard 2 (node 0) = 1 / 3%:R.
Proof.
rewrite /pairwise_bound !big_ord_recl big_ord0 !(eq_bigl _ _ (only_1_is_heard _)) !big_pred1_eq.
by rewrite /share !message_on_the_path //; entries; fractions.
Qed.

Lemma max_over_one n (F : 'I_n -> R) w : 0 <= F w -> \big[Num.max/0]_(i | i == w) F i = F w.
Proof.
move=> F0; apply/le_anti; rewrite (@below_max _ _ (pred1 w) F) /= ?eqxx // andbT.
by elim/big_ind: _ => // [x y xF yF|i /eqP->] //; rewrite le_maxl xF.
Qed.

(* On a path of three nodes, two steps, Theorem 1 promises 1/3 to the far end, which loses 1/2 to an observer who
   forgets its own noise (it forms y_0 + y_2) and 1 to one who does not (it forms y_0). *)
Theorem theorem_1_fails_on_a_path_of_three :
  [/\ pairwise_bound W heard 2 (node 0) = 1 / 3%:R,
      leakage (view W heard pred0 2) (delta_mx 0 (node 0)) = 1 / 2%:R &
      leakage (view W heard (pred1 (node 2)) 2) (delta_mx 0 (node 0)) = 1].
Proof.
have sees known t : (t < 2)%N -> (row_of 3 3 (nth [::] [:: [:: 0; 3; 0]; [:: 1; 1; 1]]%N t) <= view W heard known 2)%MS.
  by move=> t2; rewrite -message_on_the_path //; apply: message_in_view; rewrite ?only_1_is_heard.
pose m0 := row_of 3 3 [:: 0; 3; 0]%N; pose m1 := row_of 3 3 [:: 1; 1; 1]%N.
have forms known : (3%:R *: m1 - m0 <= view W heard known 2)%MS.
  by rewrite addmx_sub ?scalemx_sub ?eqmx_opp // ?(sees _ 0%N) ?(sees _ 1%N).
split; first exact: charged_on_the_path.
- apply/le_anti/andP; split.
    have -> : 1 / 2%:R = energy (row_of 3 2 [:: 1; 0; 1]%N) by entries; fractions.
    apply/leakage_is_at_most_alibi/alibi_keeps_every_message => // t w t2.
    rewrite only_1_is_heard => /eqP->; rewrite message_on_the_path // dot_delta.
    by case: t t2 => [|[|t]] // _; entries; fractions.
  have := what_is_formed_is_at_most_leakage (delta_mx 0 (node 0)) (forms pred0).
  by rewrite dot_delta; congr (_ <= _); entries; fractions.
- apply: seen_input_loses_one.
  have -> : delta_mx 0 (node 0) = (3%:R *: m1 - m0) - delta_mx 0 (node 2) :> 'rV[R]_3.
    by apply/rowP=> j; rewrite !mxE; case: j => [[|[|[|j]]] pj] //; fractions.
  by rewrite addmx_sub ?forms ?eqmx_opp ?known_in_view //= eqxx.
Qed.

(* Corollary 1 promises 1/3 on the same path and fails with Theorem 1. *)
Theorem corollary_1_fails_on_a_path_of_three :
  random_walk_bound path_of_three (metropolis R path_of_three) 2 (node 0) (node 2) = 1 / 3%:R /\
  random_walk_bound path_of_three (metropolis R path_of_three) 2 (node 0) (node 2)
    < leakage (view W heard pred0 2) (delta_mx 0 (node 0)).
Proof.
have [_ -> _] := theorem_1_fails_on_a_path_of_three.
suff -> : random_walk_bound path_of_three (metropolis R path_of_three) 2 (node 0) (node 2) = 1 / 3%:R.
  by split=> //; rewrite !div1r ltf_pinv ?posrE ?ltr0n // ltr_nat.
have two i j : power (metropolis R path_of_three) 2 i j =
    \sum_k metropolis R path_of_three i k * metropolis R path_of_three k j.
  by rewrite /power /= mulmx1 mxE.
rewrite /random_walk_bound (eq_bigl _ _ (only_1_is_heard 0)) max_over_one ?invr_ge0 ?sqr_ge0 //.
rewrite big_add1 big_mkord !big_ord_recl big_ord0 two /power /= mulmx1 weights_on_the_path.
by entries; fractions.
Qed.

End PathOfThree.

Section FiveNodes.

Local Notation node k := (@Ordinal 5 k isT).

(* A square 1-3-2-4 with a tail 1-0, of which 0 is the observer. *)
Definition square_with_tail : rel 'I_5 := @graph_on 5 [:: (0, 1); (1, 3); (1, 4); (2, 3); (2, 4)]%N.

Let W : nat -> 'M[R]_5 := fun=> metropolis R square_with_tail.
Let heard : nat -> pred 'I_5 := fun=> square_with_tail (node 0).

Lemma degrees_on_the_square i : degree square_with_tail i = nth 0%N [:: 1; 3; 2; 2; 2]%N i.
Proof.
rewrite /degree -sum1_card big_mkcond /= !big_ord_recl big_ord0.
by case: i => [[|[|[|[|[|i]]]]] ?].
Qed.

Lemma weights_on_the_square :
  metropolis R square_with_tail = matrix_of 5 12
    [:: [:: 9; 3; 0; 0; 0]; [:: 3; 3; 0; 3; 3]; [:: 0; 0; 4; 4; 4]; [:: 0; 3; 4; 5; 0]; [:: 0; 3; 4; 0; 5]]%N.
Proof.
apply/matrixP=> i j; rewrite !mxE; under eq_bigr do rewrite !degrees_on_the_square.
rewrite !degrees_on_the_square big_mkcond /= !big_ord_recl big_ord0.
by case: i => [[|[|[|[|[|i]]]]] pi] //; case: j => [[|[|[|[|[|j]]]]] pj] //; fractions.
Qed.

Lemma only_1_is_heard_on_the_square t : heard t =1 pred1 (node 1).
Proof. by case=> [[|[|[|[|[|i]]]]] ?]. Qed.

Lemma message_on_the_square t : (t < 3)%N -> row (node 1) (mixing W t) =
  row_of 5 12 (nth [::] [:: [:: 0; 12; 0; 0; 0]; [:: 3; 3; 0; 3; 3]; [:: 3; 3; 2; 2; 2]]%N t).
Proof.
case: t => [|[|[|t]]] // _; rewrite /W weights_on_the_square /= ?mulmx1;
  by apply/rowP=> j; rewrite !mxE ?(big_ord_recl, big_ord0) ?mxE; case: j => [[|[|[|[|[|j]]]]] pj] //=; fractions.
Qed.

(* Node 3 is at distance 2 of the observer 0 and loses 1/2; node 2 is at distance 3 and loses 1. *)
Theorem more_distance_is_not_more_privacy :
  [/\ within square_with_tail 2 (node 3) (node 0),
      ~~ within square_with_tail 2 (node 2) (node 0),
      leakage (view W heard (pred1 (node 0)) 3) (delta_mx 0 (node 3)) <= 1 / 2%:R &
      leakage (view W heard (pred1 (node 0)) 3) (delta_mx 0 (node 2)) = 1].
Proof.
split.
- apply/orP; right; apply/existsP; exists (node 1); rewrite andbT.
  by apply/orP; right; apply/existsP; exists (node 3).
- have far (v : 'I_5) : (v < 2)%N -> ~~ within square_with_tail 1 (node 2) v.
    case: v => [[|[|v]] pv] // _; apply/norP; split=> //; apply/existsP => -[w /andP[/eqP<-]] //.
  apply/norP; split; first exact: (far (node 0)).
  apply/existsP => -[w /andP[near w0]]; have [w1|w1] := eqVneq w (node 1).
    by move: near; rewrite w1; apply/negP; exact: (far (node 1)).
  by move: w0 w1; case: w {near} => [[|[|[|[|[|w]]]]] pw].
- have -> : 1 / 2%:R = energy (row_of 5 2 [:: 0; 0; 0; 1; 1]%N) by entries; fractions.
  apply/leakage_is_at_most_alibi/alibi_keeps_every_message => [t w t3|v /eqP->].
    rewrite only_1_is_heard_on_the_square => /eqP->; rewrite message_on_the_square // dot_delta.
    by case: t t3 => [|[|[|t]]] // _; entries; fractions.
  by entries; fractions.
- have sees t : (t < 3)%N -> (row_of 5 12 (nth [::] [:: [:: 0; 12; 0; 0; 0]; [:: 3; 3; 0; 3; 3]; [:: 3; 3; 2; 2; 2]]%N t)
      <= view W heard (pred1 (node 0)) 3)%MS.
    by move=> t3; rewrite -message_on_the_square //; apply: message_in_view.
  apply: seen_input_loses_one.
  have -> : delta_mx 0 (node 2) = 6%:R *: row_of 5 12 [:: 3; 3; 2; 2; 2]%N - 4%:R *: row_of 5 12 [:: 3; 3; 0; 3; 3]%N
      - 2%:R^-1 *: row_of 5 12 [:: 0; 12; 0; 0; 0]%N - 2%:R^-1 *: delta_mx 0 (node 0) :> 'rV[R]_5.
    by apply/rowP=> j; rewrite !mxE; case: j => [[|[|[|[|[|j]]]]] pj] //=; fractions.
  have known : ((delta_mx 0 (node 0) : 'rV[R]_5) <= view W heard (pred1 (node 0)) 3)%MS by apply: known_in_view => /=.
  rewrite !addmx_sub ?eqmx_opp ?scalemx_sub ?known //.
  + exact: (sees 2%N).
  + exact: (sees 1%N).
  + exact: (sees 0%N).
Qed.

End FiveNodes.

Section Group.

Local Notation node k := (@Ordinal 3 k isT).

(* 0 and 1 average, then 1 sends to 2: one message. *)
Let W : nat -> 'M[R]_3 := fun=> edge_average R (node 0) (node 1).
Let heard : nat -> pred 'I_3 := fun t w => (t == 1%N) && (w == node 1).

(* The group bound fails for one message: it promises 1 to the group of 0 and 1, which loses 2. *)
Theorem group_bound_fails_for_one_message :
  group_bound W heard 2 [pred u | u != node 2] = 1 /\
  leakage (view W heard (pred1 (node 2)) 2) (delta_mx 0 (node 0) + delta_mx 0 (node 1)) = 2%:R.
Proof.
have message : row (node 1) (mixing W 1) = row_of 3 2 [:: 1; 1; 0]%N.
  apply/rowP=> j; rewrite /W /= mulmx1 mxE edge_average_entry mxE.
  by case: j => [[|[|[|j]]] pj] //=; fractions.
split.
  rewrite /group_bound !big_ord_recl big_ord0 big_pred0 // add0r addr0.
  rewrite (eq_bigl (pred1 (node 1))) // big_pred1_eq message.
  by rewrite big_mkcond /=; entries; fractions.
set z := _ + _; have ez : energy z = 2%:R by rewrite /z; entries; fractions.
apply/le_anti; rewrite -{1}ez leakage_is_at_most_energy /=.
have seen : (row_of 3 2 [:: 1; 1; 0]%N <= view W heard (pred1 (node 2)) 2)%MS.
  by rewrite -message; apply: message_in_view.
apply: le_trans (what_is_formed_is_at_most_leakage z seen).
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /z; entries; fractions.
Qed.

End Group.

End PaperFails.
