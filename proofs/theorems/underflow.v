(* What underflow takes from products of gossip matrices, from squares and from shares (fast/src/bounds/accuracy.rs), beside their roundings. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Flocq Require Import Core.
From Muffliato Require Import floats kernels.

Set Implicit Arguments.
Unset Strict Implicit.
Set Bullet Behavior "Strict Subproofs".
Unset Lia Cache.
Unset Nra Cache.

Local Open Scope R_scope.

(* A term of a row: its weight and its entry, as they are meant and as floats. *)
Record term := Term { weight : R; weight' : R; entry : R; entry' : R }.

Definition exact_sum := fold_left (fun sum t => sum + weight t * entry t).
Definition computed_sum := fold_left (fun sum t => nearest (sum + nearest (weight' t * entry' t))).
Definition weights := fold_left (fun sum t => sum + weight t).

Lemma weights_from s row : weights row s = s + weights row 0.
Proof.
revert s; induction row as [|t row IH]; intros s; unfold weights in *; simpl; [ring|].
rewrite (IH (s + weight t)), (IH (0 + weight t)); ring.
Qed.

Lemma a_term_loses_its_weight a k e t : within a 0 (weight t) (weight' t) -> within k e (entry t) (entry' t) ->
  within (S (a + k)) (weight t * (1 + u) ^ a * e + tiny) (weight t * entry t) (nearest (weight' t * entry' t)).
Proof.
intros w x; apply an_operation_counts_one_rounding_and_one_loss; pose proof (growth_ge1 a) as g.
assert (copy := w); assert (copy' := x).
destruct w as (_ & w0 & w0' & above & below), x as (e0 & x0 & x0' & above' & below'); rewrite Rplus_0_r in below.
apply (products_add_their_roundings (e := 0) (f := e)); [| |exact copy|exact copy'].
- assert (weight' t * e <= weight t * (1 + u) ^ a * e) by (apply Rmult_le_compat_r; assumption); lra.
- assert (weight t * 1 <= weight t * (1 + u) ^ a) by (apply Rmult_le_compat_l; assumption).
  assert (weight t * e <= weight t * (1 + u) ^ a * e) by (apply Rmult_le_compat_r; lra); lra.
Qed.

Definition known a k e t := within a 0 (weight t) (weight' t) /\ within k e (entry t) (entry' t).

(* A row of a gossip matrix: what underflow took before stays as it was, up to the roundings of the weights, and each product loses once. *)
Theorem a_step_keeps_what_underflow_took a k e first row :
  (forall t, In t (first :: row) -> known a k e t) -> weights row (weight first) <= 1 ->
  within (a + k + length row + 1) ((1 + u) ^ a * e + INR (length row + 1) * tiny)
    (exact_sum row (weight first * entry first)) (computed_sum row (nearest (weight' first * entry' first))).
Proof.
intros all_known at_most_1.
assert (e0 : 0 <= e) by (destruct (all_known first (or_introl eq_refl)) as [_ (e0 & _)]; assumption).
assert (step : forall row sum computed j loss, (forall t, In t row -> known a k e t) -> float computed -> within (S (a + k) + j) loss sum computed ->
  within (S (a + k) + j + length row) (loss + weights row 0 * (1 + u) ^ a * e + INR (length row) * tiny) (exact_sum row sum) (computed_sum row computed)).
{ clear - e0; induction row as [|t row IH]; intros sum computed j loss terms isfloat is.
  - simpl; rewrite Nat.add_0_r, !Rmult_0_l, !Rplus_0_r; assumption.
  - unfold exact_sum, computed_sum in *; cbn [fold_left length].
    replace (S (a + k) + j + S (length row))%nat with (S (a + k) + S j + length row)%nat by lia.
    replace (loss + weights (t :: row) 0 * (1 + u) ^ a * e + INR (S (length row)) * tiny) with
      (loss + (weight t * (1 + u) ^ a * e + tiny) + weights row 0 * (1 + u) ^ a * e + INR (length row) * tiny).
    2: { change (weights (t :: row) 0) with (weights row (0 + weight t)); rewrite (weights_from (0 + weight t)), S_INR; ring. }
    apply IH; [intros; now apply terms; right|apply float_nearest|].
    replace (S (a + k) + S j)%nat with (S (S (a + k) + j)) by lia.
    apply a_sum_counts_one_rounding; [assumption|apply float_nearest|].
    apply sums_have_the_roundings_of_their_terms; [assumption|].
    destruct (terms t (or_introl eq_refl)) as [w x].
    apply (within_weaken (k := S (a + k)) (e := weight t * (1 + u) ^ a * e + tiny)); [lia|lra|now apply a_term_loses_its_weight]. }
destruct (all_known first (or_introl eq_refl)) as [w x].
assert (start : within (S (a + k) + 0) (weight first * (1 + u) ^ a * e + tiny) (weight first * entry first) (nearest (weight' first * entry' first))).
{ rewrite Nat.add_0_r; now apply a_term_loses_its_weight. }
pose proof (step row _ _ _ _ (fun t inside => all_known t (or_intror inside)) (float_nearest _) start) as both.
replace (a + k + length row + 1)%nat with (S (a + k) + 0 + length row)%nat by lia.
apply within_weaken with (3 := both); [lia|]; rewrite weights_from in at_most_1; rewrite plus_INR; change (INR 1) with 1.
assert (0 <= (1 + u) ^ a * e) by (apply Rmult_le_pos; [pose proof (growth_ge1 a); lra|assumption]).
assert ((weight first + weights row 0) * ((1 + u) ^ a * e) <= 1 * ((1 + u) ^ a * e)) by (apply Rmult_le_compat_r; assumption).
lra.
Qed.

(* An entry of a product of t gossip matrices, whose rows have at most n terms and whose weights a roundings. *)
Inductive entry_of_product (a n : nat) : nat -> R -> R -> Prop :=
  | given x : 0 <= x -> entry_of_product a n 0 x x
  | mixed t first row : (forall s, In s (first :: row) -> within a 0 (weight s) (weight' s)) ->
      (forall s, In s (first :: row) -> entry_of_product a n t (entry s) (entry' s)) ->
      weights row (weight first) <= 1 -> (length row + 1 <= n)%nat ->
      entry_of_product a n (S t) (exact_sum row (weight first * entry first)) (computed_sum row (nearest (weight' first * entry' first))).

(* It has lost t n times the smallest float at most. *)
Theorem products_of_gossip_matrices_lose_little a n t x y : INR (t * a) <= 67108864 -> entry_of_product a n t x y ->
  within (t * (a + n)) (INR t * INR n * smallest) x y.
Proof.
intros few is; pose proof tiny_positive as t0; pose proof u_positive as u0; pose proof (pos_INR n) as n0.
assert (whole : within (t * (a + n)) (INR t * INR n * tiny * (1 + u) ^ (t * a)) x y).
{ clear few; induction is as [x x0|t first row ws _ IH at_most_1 short].
  - simpl; rewrite !Rmult_0_l; now apply within_self.
  - assert (all_known : forall s, In s (first :: row) -> known a (t * (a + n)) (INR t * INR n * tiny * (1 + u) ^ (t * a)) s).
    { intros s inside; split; [now apply ws|now apply IH]. }
    apply within_weaken with (3 := a_step_keeps_what_underflow_took all_known at_most_1); [lia|].
    replace (S t * a)%nat with (a + t * a)%nat by lia; rewrite pow_add, S_INR.
    pose proof (growth_ge1 a) as g; pose proof (growth_ge1 (t * a)) as g'; set (p := (1 + u) ^ a) in *; set (q := (1 + u) ^ (t * a)) in *.
    assert (short' : INR (length row + 1) <= INR n) by now apply le_INR.
    assert (INR (length row + 1) * tiny <= INR n * tiny) by (apply Rmult_le_compat_r; lra).
    assert (pq : 1 <= p * q) by nra.
    assert (INR n * tiny * 1 <= INR n * tiny * (p * q)) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|assumption]).
    replace ((INR t + 1) * INR n * tiny * (p * q)) with (p * (INR t * INR n * tiny * q) + INR n * tiny * (p * q)) by ring; lra. }
apply within_weaken with (3 := whole); [lia|]; rewrite smallest_is_two_tiny.
pose proof (growth_of_few few) as grow; pose proof (pos_INR t) as t0'.
assert (twice : (1 + u) ^ (t * a) <= 2) by (rewrite u_value in *; lra).
replace (INR t * INR n * (2 * tiny)) with (INR t * INR n * tiny * 2) by ring.
apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; lra|assumption].
Qed.

(* A square loses four times as much as its entry, which is at most 1. *)
Theorem squares_lose_four_times_as_much k e x y : within k e x y -> x <= 1 -> tiny <= e -> e <= / 8 -> INR k <= 67108864 ->
  within (2 * k + 1) (4 * e) (x * x) (nearest (y * y)).
Proof.
intros is x1 te e8 few; pose proof (growth_of_few few) as grow; pose proof (growth_ge1 k) as g1.
assert (copy := is); destruct is as (e0 & x0 & y0 & above & below).
assert (y2 : y <= 6 / 5).
{ apply Rle_trans with (1 := below); apply Rle_trans with ((1 + / 8) * (1 + u) ^ k); [apply Rmult_le_compat_r; lra|].
  rewrite u_value in *; lra. }
replace (2 * k + 1)%nat with (S (k + k)) by lia; apply (within_weaken (k := S (k + k)) (e := 3 * e + tiny)); [lia|lra|].
apply an_operation_counts_one_rounding_and_one_loss, (products_add_their_roundings (e := e) (f := e)); [nra|nra|exact copy|exact copy].
Qed.

(* What is lost of a norm is less than a rounding, if it is less than u of the norm and of what was computed. *)
Theorem a_loss_below_a_rounding_is_one k e x y : within k e x y -> e <= u * x -> e <= u * y -> within (S k) 0 x y.
Proof.
intros (e0 & x0 & y0 & above & below) ex ey; pose proof (growth_ge1 k) as g1; repeat split; try lra; rewrite Rplus_0_r; simpl.
- apply Rle_trans with (1 := above); rewrite <- Rmult_assoc; apply Rmult_le_compat_r; lra.
- apply Rle_trans with (1 := below); rewrite <- Rmult_assoc; apply Rmult_le_compat_r; lra.
Qed.
