(* Floats with a radius (fast/src/guarantee/ball.rs): each operation returns a ball that contains the exact result. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Flocq Require Import Core Relative Plus_error.
From Muffliato Require Import floats kernels.

Set Implicit Arguments.
Unset Strict Implicit.
Set Bullet Behavior "Strict Subproofs".
Unset Lia Cache.
Unset Nra Cache.

Local Open Scope R_scope.

(* The exact number x is within r of c. *)
Definition ball c r x := Rabs (x - c) <= r.

(* Computed numbers that are not below exact ones, but for k roundings and what underflow has done. *)
Definition reaches k e x y := 0 <= y /\ x <= (y + e) * (1 + u) ^ k.

Lemma reaches_weaken k l e f x y : (k <= l)%nat -> 0 <= e <= f -> reaches k e x y -> reaches l f x y.
Proof.
intros kl ef (y0 & above); split; [assumption|]; apply Rle_trans with (1 := above).
apply Rmult_le_compat; [lra|pose proof (growth_ge1 k); lra|lra|apply Rle_pow; [pose proof u_positive; lra|assumption]].
Qed.

Lemma reaches_self x : 0 <= x -> reaches 0 0 x x.
Proof. intros x0; split; [assumption|simpl; lra]. Qed.

Lemma reaches_nearest k e x y : 0 <= e -> reaches k e x y -> reaches (S k) (e + tiny) x (nearest y).
Proof.
intros e0 (y0 & above); split; [now apply nearest_ge0|]; apply Rle_trans with (1 := above).
pose proof (nearest_below y0) as step; pose proof u_positive as u0; simpl; rewrite <- Rmult_assoc.
apply scale_le; [pose proof (growth_ge1 k); lra|nra].
Qed.

Definition total terms := fold_left (fun sum term => nearest (sum + term)) terms 0.

Definition radius_up terms := nearest (nearest (total terms * nearest (1 + nearest (16 * u))) + nearest (16 * smallest)).

Lemma sixteen_units : nearest (1 + nearest (16 * u)) = 1 + 16 * u.
Proof.
rewrite (nearest_float (x := 16 * u)); [|apply (float_multiple (n := 16) (e := -53)); lia].
apply nearest_float; replace (1 + 16 * u) with (IZR (2 ^ 52 + 8) * bpow radix2 (-52)).
- apply float_multiple; lia.
- change (bpow radix2 (-52)) with (/ 4503599627370496); rewrite u_value; change (2 ^ 52 + 8)%Z with 4503599627370504%Z; lra.
Qed.

(* At most four terms of six roundings each, and four losses more, are within the radius. *)
Theorem the_radius_is_above_its_terms (terms : list (R * R)) : (length terms <= 4)%nat ->
  (forall x y, In (x, y) terms -> float y /\ reaches 6 (4 * tiny) x y) ->
  fold_left (fun sum term => sum + fst term) terms 0 + 4 * tiny <= radius_up (map snd terms).
Proof.
intros few ok; pose proof u_positive as u0; pose proof tiny_positive as t0.
assert (sums : forall l k e s computed, (forall x y, In (x, y) l -> float y /\ reaches 6 (4 * tiny) x y) -> 0 <= e -> float computed ->
  reaches (6 + k) e s computed -> reaches (6 + k + length l) (e + INR (length l) * (4 * tiny))
    (fold_left (fun sum term => sum + fst term) l s) (fold_left (fun sum term => nearest (sum + term)) (map snd l) computed) /\
    float (fold_left (fun sum term => nearest (sum + term)) (map snd l) computed)).
{ clear terms few ok; induction l as [|(x, y) l inner]; intros k e s computed ok e0 fc reach.
  - simpl; rewrite Rmult_0_l, Rplus_0_r, Nat.add_0_r; now split.
  - destruct (ok x y (or_introl eq_refl)) as (fy & (y0 & near)); destruct reach as (c0 & reach).
    cbn [fold_left map length fst snd]; rewrite S_INR.
    replace (6 + k + S (length l))%nat with (6 + S k + length l)%nat by lia.
    replace (e + (INR (length l) + 1) * (4 * tiny)) with (e + 4 * tiny + INR (length l) * (4 * tiny)) by ring.
    apply inner; [intros; now apply ok; right|lra|apply float_nearest|].
    split; [apply nearest_ge0; lra|]; replace (6 + S k)%nat with (S (6 + k)) by lia.
    pose proof (nearest_sum_below fc fy ltac:(lra)) as step; set (next := nearest (computed + y)) in *.
    set (g := (1 + u) ^ (6 + k)) in *; assert (g1 : 1 <= g) by apply growth_ge1.
    assert (wider : (y + 4 * tiny) * (1 + u) ^ 6 <= (y + 4 * tiny) * g).
    { apply Rmult_le_compat_l; [lra|]; unfold g; apply Rle_pow; [lra|lia]. }
    change ((1 + u) ^ S (6 + k)) with ((1 + u) * g).
    apply Rle_trans with ((computed + y + (e + 4 * tiny)) * g); [lra|]; rewrite <- Rmult_assoc; apply scale_le; [lra|nra]. }
destruct (sums terms 0%nat 0 0 0 ok) as ((s0 & above) & fs); [lra|apply float_0|split; [lra|simpl; lra]|]; clear sums.
fold (total (map snd terms)) in s0, above, fs; set (sum := total (map snd terms)) in *; set (exact := fold_left _ terms 0) in *.
unfold radius_up; fold sum; rewrite sixteen_units.
assert (f16 : float (16 * smallest)) by (replace 16 with (INR 16) by (simpl; lra); apply float_smallest; simpl; lra).
rewrite (nearest_float f16), smallest_is_two_tiny in *.
assert (product : sum * (1 + 16 * u) <= (nearest (sum * (1 + 16 * u)) + tiny) * (1 + u)) by (apply nearest_below; nra).
set (a := nearest (sum * (1 + 16 * u))) in *; assert (a0 : 0 <= a) by (apply nearest_ge0; nra).
assert (last : a + 16 * (2 * tiny) <= nearest (a + 16 * (2 * tiny)) * (1 + u)) by (apply nearest_sum_below; [apply float_nearest|assumption|lra]).
set (radius := nearest (a + 16 * (2 * tiny))) in *.
assert (grow : (1 + u) ^ (6 + 0 + length terms) <= (1 + u) ^ 10) by (apply Rle_pow; [lra|lia]).
assert (count : INR (length terms) <= 4) by (apply (le_INR _ 4) in few; simpl in few; lra).
pose proof (pos_INR (length terms)) as count0.
assert (all : exact <= (sum + 16 * tiny) * (1 + u) ^ 10).
{ apply Rle_trans with (1 := above); apply Rmult_le_compat; [|pose proof (growth_ge1 (6 + 0 + length terms)); lra| |assumption].
  - rewrite Rplus_0_l; assert (0 <= INR (length terms) * (4 * tiny)) by nra; lra.
  - rewrite Rplus_0_l; assert (INR (length terms) * (4 * tiny) <= 4 * (4 * tiny)) by (apply scale_le; lra); lra. }
assert (g12 : (1 + u) ^ 10 * (1 + u) * (1 + u) <= 1 + 16 * u) by (rewrite u_value; simpl; lra).
assert (g10 : (1 + u) ^ 10 * (1 + u) <= 1 + / 1000) by (rewrite u_value; simpl; lra).
apply Rmult_le_reg_r with (1 + u); [lra|]; apply Rle_trans with (2 := last).
apply Rmult_le_reg_r with (1 + u); [lra|].
apply Rle_trans with ((sum + 16 * tiny) * ((1 + u) ^ 10 * (1 + u) * (1 + u)) + 4 * tiny * ((1 + u) * (1 + u))).
- replace ((exact + 4 * tiny) * (1 + u) * (1 + u)) with (exact * ((1 + u) * (1 + u)) + 4 * tiny * ((1 + u) * (1 + u))) by ring.
  apply Rplus_le_compat_r; apply Rle_trans with ((sum + 16 * tiny) * (1 + u) ^ 10 * ((1 + u) * (1 + u))); [apply scale_le; nra|right; ring].
- assert ((sum + 16 * tiny) * ((1 + u) ^ 10 * (1 + u) * (1 + u)) <= (sum + 16 * tiny) * (1 + 16 * u)) by (apply Rmult_le_compat_l; lra).
  assert (u <= / 1000) by (pose proof u_small; lra); assert (u * tiny <= / 1000 * tiny) by (apply scale_le; lra).
  assert (u * u <= u * 1) by (apply Rmult_le_compat_l; lra); assert (u * u * tiny <= u * tiny) by (apply scale_le; lra).
  replace ((a + 16 * (2 * tiny)) * (1 + u)) with ((a + tiny) * (1 + u) + 31 * (tiny + u * tiny)) by ring.
  replace ((sum + 16 * tiny) * (1 + 16 * u)) with (sum * (1 + 16 * u) + 16 * tiny + 256 * (u * tiny)) in * by ring.
  replace (4 * tiny * ((1 + u) * (1 + u))) with (4 * tiny + 8 * (u * tiny) + 4 * (u * u * tiny)) by ring.
  assert (u * tiny <= / 1000000 * tiny) by (apply scale_le; [lra|pose proof u_small; lra]); lra.
Qed.

(* What one rounding changes, as a part of the result. *)
Lemma rounding_is_at_most_a_unit_of_the_result x : Rabs (nearest x - x) <= u * Rabs (nearest x) + tiny.
Proof.
pose proof u_positive as u0; pose proof tiny_positive as t0.
destruct (relative_error_N_FLT'_ex radix2 (-1074) 53 eq_refl (fun n => negb (Z.even n)) x) as (eps & eta & small & lost & none & rounded).
change (nearest x = x * (1 + eps) + eta) in rounded; rewrite u_ro_is_u in small.
assert (lost' : Rabs eta <= tiny).
{ apply Rle_trans with (1 := lost); right; change (-1074)%Z with (1 + -1075)%Z; rewrite bpow_plus; change (bpow radix2 1) with 2; unfold tiny; field. }
destruct (Rmult_integral _ _ none) as [zero | zero]; rewrite rounded, zero.
- replace (x * (1 + 0) + eta - x) with eta by ring; pose proof (Rabs_pos (x * (1 + 0) + eta)); nra.
- rewrite Rplus_0_r; replace (x * (1 + eps) - x) with (x * eps) by ring; rewrite !Rabs_mult.
  assert (part : Rabs eps <= u * Rabs (1 + eps)).
  { apply Rabs_le_inv in small as small'; assert (u / (1 + u) <= u).
    { apply Rmult_le_reg_r with (1 + u); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra. }
    assert (u < 1) by (pose proof u_small; lra).
    rewrite (Rabs_pos_eq (1 + eps)) by lra; apply Rle_trans with (1 := small).
    apply Rle_trans with (u * (1 + - (u / (1 + u)))); [right; field; lra|apply Rmult_le_compat_l; lra]. }
  pose proof (Rabs_pos x); assert (Rabs x * Rabs eps <= Rabs x * (u * Rabs (1 + eps))) by (apply Rmult_le_compat_l; lra); nra.
Qed.

Definition unit_of c := nearest (u * Rabs c).

Lemma unit_of_reaches c : float (unit_of c) /\ reaches 6 (4 * tiny) (u * Rabs c) (unit_of c).
Proof.
pose proof u_positive; pose proof tiny_positive; pose proof (Rabs_pos c); split; [apply float_nearest|].
apply (reaches_weaken (k := 1) (e := 0 + tiny)); [lia|lra|]; apply reaches_nearest; [lra|apply reaches_self; nra].
Qed.

Lemma product_reaches a b : 0 <= a -> 0 <= b -> float (nearest (a * b)) /\ reaches 6 (4 * tiny) (a * b) (nearest (a * b)).
Proof.
intros; pose proof tiny_positive; split; [apply float_nearest|].
apply (reaches_weaken (k := 1) (e := 0 + tiny)); [lia|lra|]; apply reaches_nearest; [lra|apply reaches_self; nra].
Qed.

Lemma float_reaches r : float r -> 0 <= r -> float r /\ reaches 6 (4 * tiny) r r.
Proof.
intros; pose proof tiny_positive; split; [assumption|]; apply (reaches_weaken (k := 0) (e := 0)); [lia|lra|now apply reaches_self].
Qed.

Ltac each_term := intros ? ? within_list; repeat (destruct within_list as [same | within_list]; [injection same as <- <-|]); [..|destruct within_list].

(* The sum of two numbers is in the ball of the computed sum. *)
Theorem sums_are_in_the_ball_of_the_sum a r b s x y : float r -> float s -> ball a r x -> ball b s y ->
  ball (nearest (a + b)) (radius_up (r :: s :: unit_of (nearest (a + b)) :: nil)) (x + y).
Proof.
intros fr fs near near'; unfold ball in *; set (c := nearest (a + b)).
assert (r0 : 0 <= r) by (apply Rle_trans with (2 := near), Rabs_pos); assert (s0 : 0 <= s) by (apply Rle_trans with (2 := near'), Rabs_pos).
pose proof (rounding_is_at_most_a_unit_of_the_result (a + b)) as rounding; fold c in rounding; pose proof tiny_positive.
pose proof (@the_radius_is_above_its_terms ((r, r) :: (s, s) :: (u * Rabs c, unit_of c) :: nil)) as enough; cbn [map fst snd fold_left length] in enough.
apply Rle_trans with (2 := enough ltac:(lia) ltac:(each_term; auto using float_reaches, unit_of_reaches)).
replace (x + y - c) with ((x - a) + (y - b) - (c - (a + b))) by ring.
apply Rle_trans with (1 := Rabs_triang _ _); rewrite Rabs_Ropp; pose proof (Rabs_triang (x - a) (y - b)); lra.
Qed.

(* The product of two numbers is in the ball of the computed product. *)
Theorem products_are_in_the_ball_of_the_product a r b s x y : ball a r x -> ball b s y ->
  ball (nearest (a * b)) (radius_up (nearest (Rabs a * s) :: nearest (Rabs b * r) :: nearest (r * s) :: unit_of (nearest (a * b)) :: nil)) (x * y).
Proof.
intros near near'; unfold ball in *; set (c := nearest (a * b)).
assert (r0 : 0 <= r) by (apply Rle_trans with (2 := near), Rabs_pos); assert (s0 : 0 <= s) by (apply Rle_trans with (2 := near'), Rabs_pos).
pose proof (rounding_is_at_most_a_unit_of_the_result (a * b)) as rounding; fold c in rounding; pose proof tiny_positive.
pose proof (Rabs_pos a); pose proof (Rabs_pos b).
pose proof (@the_radius_is_above_its_terms ((Rabs a * s, nearest (Rabs a * s)) :: (Rabs b * r, nearest (Rabs b * r)) :: (r * s, nearest (r * s))
  :: (u * Rabs c, unit_of c) :: nil)) as enough; cbn [map fst snd fold_left length] in enough.
apply Rle_trans with (2 := enough ltac:(lia) ltac:(each_term; auto using product_reaches, unit_of_reaches)).
replace (x * y - c) with (a * (y - b) + b * (x - a) + (x - a) * (y - b) + - (c - a * b)) by ring.
assert (Rabs (a * (y - b)) <= Rabs a * s) by (rewrite Rabs_mult; now apply Rmult_le_compat_l).
assert (Rabs (b * (x - a)) <= Rabs b * r) by (rewrite Rabs_mult; now apply Rmult_le_compat_l).
assert (Rabs ((x - a) * (y - b)) <= r * s) by (rewrite Rabs_mult; apply Rmult_le_compat; auto using Rabs_pos).
pose proof (Rabs_triang (a * (y - b) + b * (x - a) + (x - a) * (y - b)) (- (c - a * b))).
pose proof (Rabs_triang (a * (y - b) + b * (x - a)) ((x - a) * (y - b))); pose proof (Rabs_triang (a * (y - b)) (b * (x - a))).
rewrite Rabs_Ropp in *; lra.
Qed.

(* Every number between two floats is in the ball around their middle, wherever that was rounded to. *)
Definition middle l h := nearest (l + nearest (nearest (h - l) / 2)).
Definition reach l h := Rmax (nearest (h - middle l h)) (nearest (middle l h - l)).

Theorem numbers_between_the_ends_are_in_the_ball l h x : float l -> float h -> l <= x <= h ->
  ball (middle l h) (radius_up (reach l h :: unit_of (reach l h) :: nil)) x.
Proof.
intros fl fh (low & high); unfold ball; set (c := middle l h); assert (fc : float c) by apply float_nearest.
assert (up : forall a b, float a -> float b -> b - a <= Rmax (nearest (b - a)) 0 * (1 + u)).
{ intros a b fa fb; pose proof u_positive; destruct (Rle_or_lt 0 (b - a)) as [positive | negative].
  - apply Rle_trans with (nearest (b - a) * (1 + u)); [|apply scale_le; [lra|apply Rmax_l]].
    apply (nearest_sum_below fb (generic_format_opp _ _ _ fa) positive).
  - assert (0 <= Rmax (nearest (b - a)) 0) by apply Rmax_r; nra. }
assert (r0 : 0 <= reach l h).
{ unfold reach; fold c; destruct (Rle_or_lt c h) as [below | above].
  - apply Rle_trans with (2 := Rmax_l _ _), nearest_ge0; lra.
  - apply Rle_trans with (2 := Rmax_r _ _), nearest_ge0; lra. }
assert (fr : float (reach l h)) by (unfold reach, Rmax; destruct Rle_dec; apply float_nearest).
assert (inside : Rabs (x - c) <= reach l h * (1 + u)).
{ pose proof u_positive; apply Rabs_le; split.
  - assert (c - l <= reach l h * (1 + u)); [|lra].
    apply Rle_trans with (1 := up l c fl fc); apply scale_le; [lra|]; apply Rmax_lub; [apply Rmax_r|assumption].
  - assert (h - c <= reach l h * (1 + u)); [|lra].
    apply Rle_trans with (1 := up c h fc fh); apply scale_le; [lra|]; apply Rmax_lub; [apply Rmax_l|assumption]. }
assert (first : reaches 6 (4 * tiny) (Rabs (x - c)) (reach l h)).
{ pose proof tiny_positive; apply (reaches_weaken (k := 1) (e := 0)); [lia|lra|]; split; [assumption|]; now rewrite Rplus_0_r, pow_1. }
pose proof (@the_radius_is_above_its_terms ((Rabs (x - c), reach l h) :: (u * Rabs (reach l h), unit_of (reach l h)) :: nil)) as enough; cbn [map fst snd fold_left length] in enough.
apply Rle_trans with (2 := enough ltac:(lia) ltac:(each_term; auto using unit_of_reaches)).
pose proof (Rabs_pos (reach l h)); pose proof u_positive; pose proof tiny_positive; assert (0 <= u * Rabs (reach l h)) by (apply Rmult_le_pos; lra); lra.
Qed.

(* The root of a number is in the ball of the computed root. *)
Theorem roots_are_in_the_ball_of_the_root a r x : float a -> 0 < a -> 0 <= x -> ball a r x ->
  ball (nearest (sqrt a)) (radius_up (nearest (r / nearest (sqrt a)) :: unit_of (nearest (sqrt a)) :: nil)) (sqrt x).
Proof.
intros fa a0 x0 near; unfold ball in *; assert (r0 : 0 <= r) by (apply Rle_trans with (2 := near), Rabs_pos).
destruct (roots_are_rounded_once fa (Rlt_le _ _ a0)) as (once & far).
assert (root0 : 0 < sqrt a) by now apply sqrt_lt_R0.
assert (c0 : 0 < nearest (sqrt a)) by (destruct far as [zero|far]; [lra|apply Rlt_le_trans with (2 := far), bpow_gt_0]).
pose proof (rounding_is_at_most_a_unit_of_the_result (sqrt a)) as rounding; set (c := nearest (sqrt a)) in *; pose proof tiny_positive.
pose proof (@the_radius_is_above_its_terms ((r / sqrt a, nearest (r / c)) :: (u * Rabs c, unit_of c) :: nil)) as enough; cbn [map fst snd fold_left length] in enough.
assert (quotient : float (nearest (r / c)) /\ reaches 6 (4 * tiny) (r / sqrt a) (nearest (r / c))).
{ split; [apply float_nearest|]; apply (reaches_weaken (k := 2) (e := 0 + tiny)); [lia|lra|]; apply reaches_nearest; [lra|].
  destruct once as (_ & _ & _ & _ & below); rewrite Rplus_0_r, pow_1 in below.
  split; [apply Rmult_le_pos; [assumption|now apply Rlt_le, Rinv_0_lt_compat]|]; rewrite Rplus_0_r, pow_1.
  unfold Rdiv; rewrite Rmult_assoc; apply Rmult_le_compat_l; [assumption|].
  apply Rmult_le_reg_r with (sqrt a * c); [nra|].
  replace (/ sqrt a * (sqrt a * c)) with c by (field; lra); replace (/ c * (1 + u) * (sqrt a * c)) with (sqrt a * (1 + u)) by (field; lra); assumption. }
apply Rle_trans with (2 := enough ltac:(lia) ltac:(each_term; auto using unit_of_reaches)).
assert (apart : Rabs (sqrt x - sqrt a) <= r / sqrt a).
{ apply Rmult_le_reg_r with (sqrt a); [assumption|]; replace (r / sqrt a * sqrt a) with r by (field; lra).
  apply Rle_trans with (2 := near); replace (x - a) with ((sqrt x - sqrt a) * (sqrt x + sqrt a)).
  - pose proof (sqrt_pos x); rewrite Rabs_mult, (Rabs_pos_eq (sqrt x + sqrt a)) by lra; apply Rmult_le_compat_l; [apply Rabs_pos|lra].
  - replace ((sqrt x - sqrt a) * (sqrt x + sqrt a)) with (sqrt x * sqrt x - sqrt a * sqrt a) by ring; rewrite !sqrt_sqrt by lra; reflexivity. }
replace (sqrt x - c) with ((sqrt x - sqrt a) + - (c - sqrt a)) by ring.
apply Rle_trans with (1 := Rabs_triang _ _); rewrite Rabs_Ropp; lra.
Qed.

(* What a divisor is at least. *)
Definition least b s := nearest (nearest (Rabs b - s) * nearest (1 - nearest (4 * u))).

Lemma four_units : nearest (1 - nearest (4 * u)) = 1 - 4 * u.
Proof.
rewrite (nearest_float (x := 4 * u)); [|apply (float_multiple (n := 4) (e := -53)); lia].
apply nearest_float; replace (1 - 4 * u) with (IZR (2 ^ 53 - 4) * bpow radix2 (-53)).
- apply float_multiple; lia.
- change (bpow radix2 (-53)) with u; rewrite u_value; change (2 ^ 53 - 4)%Z with 9007199254740988%Z; lra.
Qed.

Lemma least_is_below b s : float b -> float s -> 0 < least b s -> least b s <= Rabs b - s.
Proof.
intros fb fs positive; pose proof u_positive as u0; pose proof u_small as us.
unfold least in *; rewrite four_units in *; set (gap := Rabs b - s) in *.
assert (fn : float (nearest gap)) by apply float_nearest.
assert (gap0 : 0 < gap).
{ apply Rnot_le_lt; intros none; apply (Rlt_not_le _ _ positive).
  rewrite <- (nearest_float float_0); apply nearest_le.
  assert (nearest gap <= 0) by (rewrite <- (nearest_float float_0); now apply nearest_le).
  assert (nearest gap * (1 - 4 * u) <= 0 * (1 - 4 * u)) by (apply scale_le; lra); lra. }
destruct (Rle_or_lt gap (bpow radix2 (-1021))) as [low | high].
- assert (fg : float gap).
  { apply (@FLT_format_plus_small radix2 (-1074) 53 precision_is_positive); [now apply generic_format_abs|now apply generic_format_opp|].
    change (Rabs gap <= bpow radix2 (-1021)); now rewrite Rabs_pos_eq by lra. }
  rewrite (nearest_float fg); rewrite <- (nearest_float fg) at 2; apply nearest_le; assert (0 <= gap * u) by (apply Rmult_le_pos; lra); lra.
- destruct (a_sum_counts_one_rounding (generic_format_abs _ _ _ fb) (generic_format_opp _ _ _ fs) (within_self (Rlt_le _ _ gap0)))
    as (_ & _ & _ & above & below); fold gap in above, below; rewrite Rplus_0_r, pow_1 in above, below.
  change (Rabs b + - s) with gap in above, below.
  set (d := nearest gap) in *.
  assert (half : bpow radix2 (-1021) = 2 * bpow radix2 (-1022)) by (change (-1021)%Z with (1 + -1022)%Z; now rewrite bpow_plus).
  pose proof (bpow_gt_0 radix2 (-1022)).
  assert (d0 : bpow radix2 (-1022) <= d * (1 - 4 * u)).
  { apply Rmult_le_reg_r with (1 + u); [lra|]; assert (d * (1 + u) * (1 - 4 * u) >= 2 * bpow radix2 (-1022) * (1 - 4 * u)) by (apply Rle_ge, scale_le; lra); assert (bpow radix2 (-1022) * u <= bpow radix2 (-1022) * / 1000) by (apply Rmult_le_compat_l; lra); lra. }
  destruct (a_normal_operation_counts_one_rounding (or_intror d0) (within_self (Rle_trans _ _ _ (Rlt_le _ _ H) d0))) as (_ & _ & _ & _ & up).
  rewrite Rplus_0_r, pow_1 in up; apply Rle_trans with (1 := up).
  apply Rle_trans with (gap * (1 + u) * (1 - 4 * u) * (1 + u)); [apply scale_le; [lra|]; apply scale_le; lra|].
  assert (u * u <= u * / 1000) by (apply Rmult_le_compat_l; lra).
  assert (0 <= u * u) by (apply Rmult_le_pos; lra); assert (0 <= u * u * u) by (apply Rmult_le_pos; lra).
  replace (gap * (1 + u) * (1 - 4 * u) * (1 + u)) with (gap * (1 - 2 * u - 7 * (u * u) - 4 * (u * u * u))) by ring.
  rewrite <- (Rmult_1_r gap) at 2; apply Rmult_le_compat_l; lra.
Qed.

(* The distance of a quotient from the quotient of the centres; the last terms are for underflow. *)
Definition carried c r b s :=
  nearest (nearest (nearest (r + nearest (Rabs c * s)) + nearest (nearest (2 * smallest) * nearest (1 + s))) / least b s).

(* The quotient of two numbers is in the ball of the computed quotient. *)
Theorem quotients_are_in_the_ball_of_the_quotient a r b s x y : float r -> float b -> float s -> 0 < least b s -> ball a r x -> ball b s y ->
  ball (nearest (a / b)) (radius_up (carried (nearest (a / b)) r b s :: unit_of (nearest (a / b)) :: nil)) (x / y).
Proof.
intros fr fb fs positive near near'; pose proof (least_is_below fb fs positive) as below; unfold ball in *.
assert (r0 : 0 <= r) by (apply Rle_trans with (2 := near), Rabs_pos); assert (s0 : 0 <= s) by (apply Rle_trans with (2 := near'), Rabs_pos).
pose proof u_positive as u0; pose proof u_small as us; pose proof tiny_positive as t0.
pose proof (rounding_is_at_most_a_unit_of_the_result (a / b)) as rounding; set (c := nearest (a / b)) in *.
assert (far : least b s <= Rabs y).
{ replace b with (y - (y - b)) in below at 2 by ring; pose proof (Rabs_triang y (- (y - b))); rewrite Rabs_Ropp in *; unfold Rminus in *; lra. }
assert (b0 : b <> 0) by (intros ->; rewrite Rabs_R0 in below; lra).
assert (y0 : y <> 0) by (intros ->; rewrite Rabs_R0 in far; lra).
pose proof (Rabs_pos c) as c0; pose proof (Rabs_pos (a / b)) as q0.
set (q := Rabs (a / b)) in *.
assert (q_is : q <= Rabs c * (1 + u) + tiny).
{ unfold q; replace (a / b) with (c - (c - a / b)) by ring; unfold Rminus at 1; apply Rle_trans with (1 := Rabs_triang _ _); rewrite Rabs_Ropp; lra. }
assert (apart : Rabs (x / y - a / b) <= (r + q * s) / least b s).
{ replace (x / y - a / b) with (((x - a) - a / b * (y - b)) / y) by (field; now split).
  unfold Rdiv at 1; rewrite Rabs_mult, Rabs_inv; apply Rmult_le_compat; [apply Rabs_pos|apply Rlt_le, Rinv_0_lt_compat; lra| |now apply Rinv_le_contravar].
  unfold Rminus at 1; apply Rle_trans with (1 := Rabs_triang _ _); rewrite Rabs_Ropp, Rabs_mult; apply Rplus_le_compat; [assumption|].
  now apply Rmult_le_compat_l. }
assert (reach : float (carried c r b s) /\ reaches 6 (4 * tiny) ((r + q * s) / least b s) (carried c r b s)).
{ split; [apply float_nearest|]; apply (reaches_weaken (k := 5) (e := 0 + tiny)); [lia|lra|]; apply reaches_nearest; [lra|].
  pose proof (nearest_below (Rmult_le_pos _ _ c0 s0)) as product; set (p := nearest (Rabs c * s)) in *.
  assert (p0 : 0 <= p) by (apply nearest_ge0, Rmult_le_pos; assumption).
  pose proof (nearest_sum_below fr (float_nearest _ : float p) ltac:(lra)) as sum; set (first := nearest (r + p)) in *.
  assert (f2 : float (2 * smallest)) by (replace 2 with (INR 2) by (simpl; lra); apply float_smallest; simpl; lra).
  rewrite (nearest_float f2), smallest_is_two_tiny.
  assert (f1 : float 1) by now apply (float_integer (n := 1)).
  pose proof (nearest_sum_below f1 fs ltac:(lra)) as more; set (z := nearest (1 + s)) in *.
  assert (z0 : 0 <= z) by (apply nearest_ge0; lra).
  assert (zt : 0 <= 2 * (2 * tiny) * z) by (apply Rmult_le_pos; lra).
  pose proof (nearest_below zt) as under; set (second := nearest (2 * (2 * tiny) * z)) in *.
  assert (second0 : 0 <= second) by now apply nearest_ge0.
  assert (first0 : 0 <= first) by (apply nearest_ge0; lra).
  pose proof (nearest_sum_below (float_nearest _ : float first) (float_nearest _ : float second) ltac:(lra)) as both.
  set (above := nearest (first + second)) in *; assert (above0 : 0 <= above) by (apply nearest_ge0; lra).
  split; [apply Rmult_le_pos; [assumption|now apply Rlt_le, Rinv_0_lt_compat]|]; rewrite Rplus_0_r.
  unfold Rdiv; rewrite Rmult_assoc, (Rmult_comm (/ least b s)), <- Rmult_assoc.
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
  assert (uu : 0 <= u * u <= u * / 1000) by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_l; lra]).
  assert (unit2 : 1 <= (1 + u) * (1 + u) <= 1 + / 1000) by (replace ((1 + u) * (1 + u)) with (1 + 2 * u + u * u) by ring; lra).
  assert (ts : 0 <= tiny * s) by (apply Rmult_le_pos; lra).
  (* What the second term covers: an underflow of the product, and one of the quotient times s. *)
  assert (covered : 2 * tiny * (1 + s) <= second * ((1 + u) * (1 + u))).
  { assert (2 * (2 * tiny) * (1 + s) <= 2 * (2 * tiny) * (z * (1 + u))) by (apply Rmult_le_compat_l; lra).
    assert (2 * (2 * tiny) * z * (1 + u) <= (second + tiny) * (1 + u) * (1 + u)) by (apply scale_le; lra).
    assert (tiny * ((1 + u) * (1 + u)) <= tiny * (1 + / 1000)) by (apply Rmult_le_compat_l; lra).
    lra. }
  assert (g4 : above * (1 + u) ^ 4 = above * (1 + u) * ((1 + u) * (1 + u) * (1 + u))) by (simpl; ring); rewrite g4.
  assert (g3 : 0 <= (1 + u) * (1 + u) * (1 + u)) by (apply Rmult_le_pos; lra).
  apply Rle_trans with ((first + second) * ((1 + u) * (1 + u) * (1 + u))); [|now apply scale_le].
  assert (one : (r + p) * ((1 + u) * (1 + u)) <= first * (1 + u) * ((1 + u) * (1 + u))) by (apply scale_le; lra).
  assert (two : Rabs c * s * (1 + u) <= (p + tiny) * (1 + u) * (1 + u)) by (apply scale_le; lra).
  assert (three : 2 * tiny * (1 + s) * 1 <= second * ((1 + u) * (1 + u)) * (1 + u)).
  { apply Rmult_le_compat; [apply Rmult_le_pos; lra|lra|assumption|lra]. }
  assert (four : q * s <= (Rabs c * (1 + u) + tiny) * s) by now apply scale_le.
  assert (five : tiny * ((1 + u) * (1 + u)) <= tiny * (1 + / 1000)) by (apply Rmult_le_compat_l; lra).
  assert (six : r * 1 <= r * ((1 + u) * (1 + u))) by (apply Rmult_le_compat_l; lra); lra. }
pose proof (@the_radius_is_above_its_terms (((r + q * s) / least b s, carried c r b s) :: (u * Rabs c, unit_of c) :: nil)) as enough; cbn [map fst snd fold_left length] in enough.
apply Rle_trans with (2 := enough ltac:(lia) ltac:(each_term; auto using unit_of_reaches)).
replace (x / y - c) with ((x / y - a / b) + - (c - a / b)) by ring.
apply Rle_trans with (1 := Rabs_triang _ _); rewrite Rabs_Ropp; lra.
Qed.
