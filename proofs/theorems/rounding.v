(* The checker of flows for noise that is rounded to a grid: shares become whole (grid.v), in each coordinate, and what that costs is added. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ zify.
From mathcomp.algebra_tactics Require Import ring.
From Muffliato Require Import gossip leakage systems fractions protocol runs checker.
From Muffliato Require grid.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition is_whole_number (q : Q) : bool := Z.eqb (Z.modulo (Qnum q) (Zpos (Qden q))) 0.

(* A claim about flows, for a sensitivity of so many steps in so many coordinates. *)
Record claim_on_grid := ClaimOnGrid { flows_of : certificate; steps_of : Q; coordinates : nat }.

Section Rule.

Variables (p : protocol) (sensitivity : Q) (count : nat).

(* The draws that take a share of some input which is no whole number. *)
Definition breaks (l : seq (nat * nat * table)) (k : nat) : bool := ~~ all (fun x => is_whole_number (entry x.2 0 k)) l.

Definition cost_on_grid (l : seq (nat * nat * table)) : Q :=
  let broken := sum (fun k => if breaks l k then Qinv (variance (one_input p) 0 k) else zero) (draws (one_input p)) in
  add (group_cost (one_input p) l) (mul (mul (Qmake (Z.of_nat count) 4) (Qinv (square sensitivity))) broken).

End Rule.

Definition check_on_grid (c : claim_on_grid) : bool :=
  let f := flows_of c in let p := on f in let v := towards f in
  [&& sensible f, at_most f, ~~ Qle_bool (steps_of c) zero, (0 < coordinates c)%N &
    if because f is Flows given then
      let flows r := nth [::] given (if size given == 1 then 0 else r)%N in
      [&& (size given == 1)%N || (size given == rounds p),
          all (fun r => (size (flows r) == size (about f)) && all (may_flow p v) (flows r)) (iota 0 (rounds p)) &
          each_assignment p (about f) (fun _ phase =>
            let alibis r := alibis_of_round p (about f) (flows r) (taking_part p (about f) phase r) in
            all (fun r => all (fun x => explains (one_input p) (tables (one_input p)) (all_states p v) x.1.1 x.1.2 x.2) (alibis r))
              (iota 0 (rounds p)) &&
            Qle_bool (sum (fun r => cost_on_grid p (steps_of c) (coordinates c) (alibis r)) (rounds p)) (claim f))]
    else false].

Lemma positive_fractions_are_positive (R : realFieldType) q : ~~ Qle_bool q zero -> 0 < meaning R q.
Proof.
case: q => a b; rewrite /Qle_bool /meaning /= => positive.
by rewrite pmulr_lgt0 ?invr_gt0 ?whole_pos // /whole ltr0z; lia.
Qed.

Section Sound.

Variables (R : realFieldType) (p : protocol) (v : view_of).

Local Notation P := (one_input p).
Local Notation n := (nodes P).
Local Notation m := (size (masks P)).
Local Notation T := (size (steps P)).
Local Notation o := (all_states p v).
Local Notation A := (view_matrix R P o).

Definition t0 : 'I_T := @Ordinal T 0 isT.
Lemma only_t0 (t : 'I_T) : t = t0. Proof. by case: t => [[]] // t1; apply: val_inj. Qed.

Lemma whole_numbers_are_whole q : is_whole_number q -> grid.is_whole (meaning R q).
Proof.
case: q => a b /Z.eqb_eq /= whole_q; exists (int_of_Z (Z.div a (Zpos b))).
have is_a : a = Z.mul (Zpos b) (Z.div a (Zpos b)) by have := Z.div_mod a (Zpos b); lia.
by rewrite /meaning /= {1}is_a wholeM mulrC mulKf ?whole_neq0.
Qed.

Lemma fractions_have_floors q : exists a : int, a%:~R <= meaning R q < a%:~R + 1.
Proof.
case: q => a b; exists (int_of_Z (Z.div a (Zpos b))); rewrite /meaning /=; rewrite -/(whole R (Z.div a (Zpos b))).
have -> : whole R (Z.div a (Zpos b)) + 1 = whole R (Z.succ (Z.div a (Zpos b))) by rewrite /Z.succ wholeD.
rewrite ler_pdivl_mulr ?whole_pos // ltr_pdivr_mulr ?whole_pos // -!wholeM whole_le ltNge whole_le.
have lo := Z.mul_div_le a (Zpos b); have hi := Z.mul_succ_div_gt a (Zpos b); lia.
Qed.

(* What a node sends, which has one input: its draw and its masks. *)
Lemma message_of_one_input omega (w : 'I_n) :
  message o omega 0%N w = omega t0 (lshift m w) + \sum_(e < m) meaning R (mask_end P e w) * omega t0 (rshift n e).
Proof.
rewrite /message /= /sent /= /injection insubT mxE; set t1 := Sub _ _.
by have -> : t1 = t0 by apply: val_inj.
Qed.

Hypothesis ends_are_nodes : sensible_edges n (masks P).

(* Masks are edges between their nodes, and draws are edges from the ground. *)
Definition end_of (first : bool) (k : 'I_(n + m)) : option 'I_n :=
  match fintype.split k with
  | inl w => if first then Some w else None
  | inr e => let ends := nth (0, 0)%N (masks P) e in insub (if first then ends.1 else ends.2)
  end.

Lemma mask_ends (e : 'I_m) : let ends := nth (0, 0)%N (masks P) e in [&& ends.1 < n, ends.2 < n & ends.1 != ends.2]%N.
Proof. exact: (all_nthP (0, 0)%N ends_are_nodes). Qed.

Lemma ends_differ k : end_of false k != end_of true k.
Proof.
rewrite /end_of; case: fintype.splitP => // e _; have /and3P[one two apart] := mask_ends e.
by rewrite !insubT; apply: contra apart => /eqP[->].
Qed.

Lemma arrivesE (x : _ -> R) (w : 'I_n) : grid.arrives (end_of false) (end_of true) x (Some w) =
  x (lshift m w) + \sum_(e < m) meaning R (mask_end P e w) * x (rshift n e).
Proof.
rewrite /grid.arrives big_split_ord /=; congr (_ + _).
  rewrite (bigD1 w) //= /grid.sign /end_of (unsplitK (inl w)) eqxx subr0 mulr1 big1 ?addr0 // => j /negbTE jw.
  by rewrite (unsplitK (inl j)) /= -[Some j == Some w]/(j == w) jw subr0 mulr0.
apply: eq_bigr => e _; rewrite mulrC /grid.sign /end_of (unsplitK (inr e)); congr (_ * _).
have /and3P[one two _] := mask_ends e; rewrite !insubT /mask_end meaning_sub; congr (_ - _).
  by rewrite -[Some _ == _]/(Ordinal one == w) -val_eqE /= eq_sym; case: eqP; rewrite ?meaning1 ?meaning0.
by rewrite -[Some _ == _]/(Ordinal two == w) -val_eqE /= eq_sym; case: eqP; rewrite ?meaning1 ?meaning0.
Qed.

Lemma arrives_at_the_ground (x : _ -> R) : grid.arrives (end_of false) (end_of true) x None = - \sum_w grid.arrives (end_of false) (end_of true) x (Some w).
Proof.
have all0 : \sum_u grid.arrives (end_of false) (end_of true) x u = 0.
  rewrite exchange_big big1 // => k _; rewrite -mulr_sumr sumrB.
  have one u : \sum_u' (u == u')%:R = 1 :> R by rewrite (bigD1 u) //= eqxx big1 ?addr0 // => u' /negbTE; rewrite eq_sym => ->.
  by rewrite !one subrr mulr0.
move: all0; rewrite (bigD1 None) //= => /eqP; rewrite addr_eq0 => /eqP->; congr (- _).
rewrite (reindex_omap Some id) /=; last by case.
by apply: eq_bigl => w; rewrite eqxx.
Qed.

Lemma input_is_whole t u i : grid.is_whole (number o i (input_of R P t u)).
Proof.
have entries a b : grid.is_whole (input_of R P t u a b) by rewrite mxE; case: (_ && _); [exists 1|exists 0].
case: i => [[a w]|[a k]]; last exact: entries.
rewrite (only_t0 a) /= message_of_one_input; have [z ->] := entries t0 (lshift m w).
have [r ->] : grid.is_whole (\sum_(e < m) meaning R (mask_end P e w) * input_of R P t u t0 (rshift n e)).
  apply: grid.whole_sum => e _; apply: grid.whole_product => //; rewrite /mask_end meaning_sub.
  by do 2!case: ifP => _; rewrite ?meaning0 ?meaning1; [exists 0|exists 1|exists (-1)|exists 0]; rewrite ?subrr ?subr0 ?sub0r.
by exists (z + r); rewrite intrD.
Qed.

Variable (s : nat -> nat -> R).
Hypothesis s_are_deviations : deviations_of P s.

(* Flows on a grid: for all whole changes of the inputs that are no longer than the sensitivity, whole draws in each coordinate are an
   alibi, and cost no more than the rule says. *)
Theorem whole_shares_cost_what_the_rule_says l sensitivity D (d : 'I_D -> nat -> int) :
  all (fun x => explains P (tables P) o x.1.1 x.1.2 x.2) l -> 0 < meaning R sensitivity ->
  (forall u, \sum_c (d c u)%:~R ^+ 2 <= meaning R sensitivity ^+ 2) ->
  exists y : 'I_D -> 'M[R]_(T, n + m),
    [/\ forall c k, grid.is_whole (y c t0 k),
        forall c, A *m (mxvec (y c))^T = A *m (\sum_(x <- l) (d c x.1.2)%:~R *: mxvec (input_of R P x.1.1 x.1.2))^T,
        forall c (k : 'I_(n + m)), s 0%N k = 0 -> y c t0 k = 0 &
        \sum_c \sum_(k < n + m) y c t0 k ^+ 2 / s 0%N k ^+ 2 <= meaning R sensitivity ^+ 2 * meaning R (cost_on_grid p sensitivity D l)].
Proof.
move=> accepted k_gt0 small.
pose at_place (i : 'I_(size l)) := nth ((0, 0)%N, [::]) l i.
have ok i : explains P (tables P) o (at_place i).1.1 (at_place i).1.2 (at_place i).2 by apply: (all_nthP ((0, 0)%N, [::]) accepted).
pose zeta i := draws_of R P (entry (at_place i).2).
pose input i := input_of R P (at_place i).1.1 (at_place i).1.2.
have same i j : is_seen o j -> number o j (zeta i) = number o j (input i).
  move=> sees; have /matrixP/(_ (enum_rank j) 0) := checked_draws_are_an_alibi R (ok i).
  by rewrite !observedE; [rewrite enum_rankK sees|exact: numbers_are_linear|exact: numbers_are_linear].
pose X c := \sum_i (d c (at_place i).1.2)%:~R *: zeta i.
pose Z c := \sum_i (d c (at_place i).1.2)%:~R *: input i.
have linear_number (j : numbers P) (f : 'I_(size l) -> R) (g : _ -> 'M[R]_(T, n + m)) : number o j (\sum_i f i *: g i) = \sum_i f i * number o j (g i).
  have lin := @numbers_are_linear R P o j.
  have none : number o j (0 : 'M[R]_(T, n + m)) = 0 by have := lin (-1) 0 0; rewrite scaler0 addr0 mulN1r addNr.
  have add (a b : 'M[R]_(T, n + m)) : number o j (a + b) = number o j a + number o j b by rewrite -[a in LHS]scale1r lin mul1r.
  rewrite (big_morph (number o j) add none); apply: eq_bigr => i _.
  by rewrite -[_ *: g i]addr0 lin none addr0.
have sameX c j : is_seen o j -> number o j (X c) = number o j (Z c).
  by move=> sees; rewrite !linear_number; apply: eq_bigr => i _; rewrite same.
pose x c (k : 'I_(n + m)) := X c t0 k.
have x_is c k : exists q, x c k = meaning R q.
  pose q i := mul (Qmake (Z_of_int (d c (at_place i).1.2)) 1) (entry (at_place i).2 0 k).
  rewrite /x summxE; elim/big_rec: _ => [|i r _ [q' ->]]; first by exists zero; rewrite meaning0.
  exists (add (q i) q'); rewrite meaning_add meaning_mul !mxE /=; congr (_ * _ + _).
  by rewrite /meaning /= {2}/whole divr1 /whole Z_of_intK.
have floors c : grid.has_floors (x c).
  have each k : exists a : int, a%:~R <= x c k < a%:~R + 1 by have [q ->] := x_is c k; exact: fractions_have_floors.
  by have [a] := fin_all_exists each; exists a.
have arrives_x c (w : 'I_n) : grid.arrives (end_of false) (end_of true) (x c) (Some w) = number o (inl (t0, w)) (Z c).
  by rewrite -sameX // arrivesE /= message_of_one_input.
have whole_some c (w : 'I_n) : grid.is_whole (grid.arrives (end_of false) (end_of true) (x c) (Some w)).
  rewrite arrives_x linear_number; apply: grid.whole_sum => i _; apply: grid.whole_product; first by exists (d c (at_place i).1.2).
  exact: input_is_whole.
have whole_all c u : grid.is_whole (grid.arrives (end_of false) (end_of true) (x c) u).
  case: u => [w|]; first exact: whole_some.
  rewrite arrives_at_the_ground; have [z ->] := grid.whole_sum (P := predT) (fun w _ => whole_some c w).
  by exists (- z); rewrite mulrNz.
pose cost (k : nat) : R := (s 0%N k ^+ 2)^-1.
have cost_ge0 (k : 'I_(n + m)) : 0 <= cost k by rewrite invr_ge0 sqr_ge0.
have each c := grid.whole_amounts_cost_a_quarter_more ends_differ (floors c) cost_ge0 (whole_all c).
have [y y_ok] := fin_all_exists each.
exists (fun c => \matrix_(t, k) y c k); split=> [c k|c|c k s0|].
- by rewrite mxE; have [] := y_ok c.
- have -> : \sum_(x <- l) (d c x.1.2)%:~R *: mxvec (input_of R P x.1.1 x.1.2) = mxvec (Z c).
    by rewrite (big_nth ((0, 0)%N, [::])) big_mkord linear_sum; apply: eq_bigr => i _; rewrite linearZ.
  apply/colP=> i; rewrite !observedE; [|exact: numbers_are_linear|exact: numbers_are_linear].
  case: ifP => // sees; have [_ arrives_y stays _] := y_ok c.
  case: (enum_val i) sees => [[t w]|[t k]] sees.
    rewrite (only_t0 t) -arrives_x -arrives_y arrivesE /= message_of_one_input !mxE; congr (_ + _).
    by apply: eq_bigr => e _; rewrite mxE.
  rewrite -(sameX c _ sees) /= mxE (only_t0 t) stays // -/(x c k) /x -[X c t0 k]/(number o (inr (t0, k)) (X c)).
  rewrite (sameX c (inr (t0, k))) // linear_number; apply: grid.whole_sum => j _; apply: grid.whole_product; first by exists (d c (at_place j).1.2).
  exact: input_is_whole.
- have x0 : x c k = 0.
    rewrite /x summxE big1 // => i _; rewrite !mxE (meaning_zero R (_ : is_zero _)) ?mulr0 //.
    have /and3P[_ _ /everywhereP/(_ t0 k)] := ok i; rewrite /= /is_zero (@zero_meaning R (variance P 0 k)) ?orbT //.
    by rewrite -s_are_deviations s0 expr0n.
  by rewrite mxE; have [_ _ -> //] := y_ok c; rewrite x0; exists 0.
- pose G i j : R := \sum_(k < n + m) zeta i t0 k * zeta j t0 k * cost k.
  have productE' i j : meaning R (product P (at_place i).2 (at_place j).2) = G i j.
    rewrite meaning_total big_ord1; apply: eq_bigr => k _.
    by rewrite !meaning_mul meaning_inv -s_are_deviations !mxE.
  have squares : \sum_c \sum_(k < n + m) cost k * x c k ^+ 2 = \sum_i \sum_j (\sum_c (d c (at_place i).1.2)%:~R * (d c (at_place j).1.2)%:~R) * G i j.
    have expand c (k : 'I_(n + m)) : cost k * x c k ^+ 2 = \sum_i \sum_j (d c (at_place i).1.2)%:~R * (d c (at_place j).1.2)%:~R * (zeta i t0 k * zeta j t0 k * cost k).
      rewrite /x summxE expr2 big_distrlr /= mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _.
      rewrite !mxE; move: ((d c (at_place i).1.2)%:~R : R) ((d c (at_place j).1.2)%:~R : R) => a b; ring.
    transitivity (\sum_c \sum_i \sum_j (d c (at_place i).1.2)%:~R * (d c (at_place j).1.2)%:~R * G i j).
      apply: eq_bigr => c _; rewrite (eq_bigr _ (fun k _ => expand c k)).
      rewrite exchange_big; apply: eq_bigr => i _; rewrite exchange_big; apply: eq_bigr => j _ /=.
      by rewrite mulr_sumr.
    rewrite exchange_big; apply: eq_bigr => i _; rewrite exchange_big; apply: eq_bigr => j _ /=.
    by rewrite mulr_suml.
  have few (u u' : nat) : `|\sum_c (d c u)%:~R * (d c u')%:~R| <= meaning R sensitivity ^+ 2.
    apply: le_trans (ler_norm_sum _ _ _) _.
    apply: (@le_trans _ _ (\sum_c 2%:R^-1 * ((d c u)%:~R ^+ 2 + (d c u')%:~R ^+ 2))).
      apply: ler_sum => c _; rewrite normrM -(real_normK (num_real (d c u)%:~R)) -(real_normK (num_real (d c u')%:~R)).
      move: (`|(d c u)%:~R| : R) (`|(d c u')%:~R| : R) => a b.
      rewrite -subr_ge0 [X in 0 <= X](_ : _ = 2%:R^-1 * (a - b) ^+ 2); last by field.
      by rewrite mulr_ge0 ?sqr_ge0 // invr_ge0 ler0n.
    rewrite -mulr_sumr big_split /= mulrC ler_pdivr_mulr ?ltr0n // mulr_natr mulr2n; exact: ler_add.
  pose B : R := \sum_(k < n + m) (if breaks l k then cost k else 0).
  have is_cost : meaning R sensitivity ^+ 2 * meaning R (cost_on_grid p sensitivity D l) =
      meaning R sensitivity ^+ 2 * meaning R (group_cost P l) + D%:R * (4%:R^-1 * B).
    rewrite meaning_add !meaning_mul meaning_inv meaning_mul meaning_sum mulrDr; congr (_ + _).
    have -> : meaning R (Qmake (Z.of_nat D) 4) = D%:R / 4%:R.
      by rewrite /meaning /=; congr (_ / _); rewrite /whole [RHS]pmulrn; congr (_%:~R); lia.
    have -> : \sum_(i < draws P) meaning R (if breaks l i then Qinv (variance P 0 i) else zero) = B.
      apply: eq_bigr => k _; case: ifP => _; last exact: meaning0.
      by rewrite meaning_inv -s_are_deviations.
    move: (meaning R sensitivity) k_gt0 => K /gt_eqF/negbT K0; by field.
  rewrite is_cost; apply: (@le_trans _ _ (\sum_c (\sum_(k < n + m) cost k * x c k ^+ 2 + 4%:R^-1 * B))).
    apply: ler_sum => c _; have [_ _ _ /(_ (breaks l))] := y_ok c; rewrite [\sum_(k < n + m | breaks l k) _]big_mkcond /= => le.
    under eq_bigr do rewrite mxE mulrC; apply: le => k; rewrite negbK => all_whole.
    rewrite /x summxE; apply: grid.whole_sum => i _; rewrite mxE; apply: grid.whole_product; first by exists (d c (at_place i).1.2).
    by rewrite mxE; apply: whole_numbers_are_whole; exact: (all_nthP ((0, 0)%N, [::]) all_whole).
  rewrite big_split /=; apply: ler_add; last by rewrite sumr_const card_ord mulr_natl.
  rewrite squares.
  rewrite /group_cost meaning_sum mulr_sumr; apply: ler_sum => i _; rewrite meaning_sum mulr_sumr; apply: ler_sum => j _.
  rewrite meaning_abs /products entry_table_of productE'.
  by apply: le_trans (ler_norm _) _; rewrite normrM ler_wpmul2r ?normr_ge0.
Qed.

End Sound.

(* What a claim on a grid says: the rounds lose numbers that add up to at most the claim. Whatever whole steps the inputs of a round change by,
   no longer than the sensitivity, some whole draws give the same masked states in each coordinate, for no more than the round may lose. *)
Definition says_on_grid (R : realFieldType) (c : claim_on_grid) : Prop :=
  let f := flows_of c in let p := on f in let P := one_input p in
  let A := view_matrix R P (all_states p (towards f)) in
  forall s phase, deviations_of P s -> (forall u, u \in about f -> (phase u < phases p)%N) ->
  exists2 cost : nat -> R, \sum_(r < rounds p) cost r <= meaning R (claim f) &
  forall r (d : 'I_(coordinates c) -> nat -> int), (r < rounds p)%N ->
  (forall u, \sum_i (d i u)%:~R ^+ 2 <= meaning R (steps_of c) ^+ 2) ->
  exists y : 'I_(coordinates c) -> 'M[R]_(size (steps P), nodes P + size (masks P)),
    [/\ forall i k, grid.is_whole (y i (t0 p) k),
        forall i, A *m (mxvec (y i))^T =
          A *m (change P (taking_part p (about f) phase r) (fun=> 0%N) (fun _ u => (d i u)%:~R))^T,
        forall i (k : 'I_(nodes P + size (masks P))), s 0%N k = 0 -> y i (t0 p) k = 0 &
        \sum_i \sum_(k < nodes P + size (masks P)) y i (t0 p) k ^+ 2 / s 0%N k ^+ 2 <= meaning R (steps_of c) ^+ 2 * cost r].

(* The checker of claims on a grid is sound. *)
Theorem accepted_claims_on_a_grid_are_true R c : check_on_grid c -> says_on_grid R c.
Proof.
case: c => [[p v sources upper claim why] k D]; rewrite /check_on_grid /= => /and5P[sense _ positive _].
case: why sense => // given sense /and3P[_ _ each]; rewrite /says_on_grid /= => s phase s_ok in_phase.
have [_ [phase' [/andP[/allP ok /(meaning_le R) le] same]]] := phase_is_assigned each in_phase.
pose alibis r := alibis_of_round p sources (nth [::] given (if size given == 1 then 0 else r)%N) (taking_part p sources phase' r).
exists (fun r => meaning R (cost_on_grid p k D (alibis r))); first by move: le; rewrite meaning_sum.
move=> r d rT small /=.
have -> : taking_part p sources phase r = taking_part p sources phase' r by apply: eq_in_filter => u us; rewrite same.
have ends : sensible_edges (nodes (one_input p)) (masks (one_input p)).
  by case/andP: sense => /and5P[_ _ _ _ /and3P[_ ends _]] _.
have k_gt0 := positive_fractions_are_positive R positive.
have accepted := ok r; rewrite mem_iota in accepted.
have [y [whole_y same_y none_y cost_y]] := whole_shares_cost_what_the_rule_says ends s_ok (accepted rT) k_gt0 small.
exists y; split=> // i; rewrite same_y changeE; congr (_ *m _^T).
by rewrite big_map.
Qed.
