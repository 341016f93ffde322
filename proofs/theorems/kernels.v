(* More kernels in floating point: sums and products with their exact error, bounds that are enlarged by counted roundings, roots, and
   floats with a radius. The definitions are the expressions of the code; KERNELS.md names the properties that show it. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Flocq Require Import Core Relative Plus_error.
From Flocq.Pff Require Import Pff2Flocq.
From Muffliato Require Import floats.

Set Implicit Arguments.
Unset Strict Implicit.
Set Bullet Behavior "Strict Subproofs".
Unset Lia Cache.
Unset Nra Cache.

Local Open Scope R_scope.

Lemma even_choice_is_symmetric x : negb (Z.even x) = negb (negb (Z.even (- (x + 1)))).
Proof. rewrite Z.even_opp, Z.even_add; now destruct (Z.even x). Qed.

Lemma nearest_opp x : nearest (- x) = - nearest x.
Proof. apply round_NE_opp. Qed.

(* ------ Sums and products with their exact error ------ *)

(* The computed sum of two floats, and its error. *)
Definition two_sum a b :=
  let sum := nearest (a + b) in
  let shadow := nearest (sum - a) in
  (sum, nearest (nearest (a - nearest (sum - shadow)) + nearest (b - shadow))).

(* A sum and its error are together the exact sum (Knuth). *)
Theorem two_sum_is_exact a b : float a -> float b -> fst (two_sum a b) + snd (two_sum a b) = a + b.
Proof.
intros fa fb; apply (@TwoSum_correct (-1074) 53 (fun n => negb (Z.even n))); [lia|lia|apply even_choice_is_symmetric|assumption|assumption].
Qed.

(* The same with three operations, if the first is not smaller. *)
Definition fast_two_sum a b := let sum := nearest (a + b) in (sum, nearest (b - nearest (sum - a))).

Theorem fast_two_sum_is_exact a b : float a -> float b -> a = 0 \/ Rabs b <= Rabs a ->
  fst (fast_two_sum a b) + snd (fast_two_sum a b) = a + b.
Proof.
intros fa fb [-> | larger]; cbn [fst snd fast_two_sum].
- rewrite Rplus_0_l, (nearest_float fb), Rminus_0_r, (nearest_float fb), Rminus_diag_eq by reflexivity.
  rewrite (nearest_float float_0); lra.
- replace (b - nearest (nearest (a + b) - a)) with (b + nearest (a - nearest (a + b))).
  2: { rewrite <- (Ropp_minus_distr (nearest (a + b)) a), nearest_opp; ring. }
  apply (@Fast2Sum_correct (-1074) 53 (fun n => negb (Z.even n))); [lia|lia|apply even_choice_is_symmetric|assumption|assumption|assumption].
Qed.

(* Two halves of a float, of 26 bits each. *)
Definition split a :=
  let shifted := nearest (a * 134217729) in
  let high := nearest (shifted - nearest (shifted - a)) in
  (high, nearest (a - high)).

(* The computed product of two floats, and its error. *)
Definition two_product a b :=
  let product := nearest (a * b) in
  let (a1, a2) := split a in
  let (b1, b2) := split b in
  (product, nearest (nearest (nearest (nearest (nearest (a1 * b1) - product) + nearest (a1 * b2)) + nearest (a2 * b1)) + nearest (a2 * b2))).

(* A product and its error are together the exact product, if it is 0 or not below 2^-969 (Dekker); otherwise they miss it by little. *)
Theorem two_product_is_exact a b : float a -> float b ->
  (a * b = 0 \/ bpow radix2 (-969) <= Rabs (a * b) -> fst (two_product a b) + snd (two_product a b) = a * b) /\
  Rabs (fst (two_product a b) + snd (two_product a b) - a * b) <= 7 / 2 * bpow radix2 (-1074).
Proof.
intros fa fb.
destruct (@Dekker radix2 (-1074) 53 (fun n => negb (Z.even n)) ltac:(lia) ltac:(lia) a b fa fb (or_introl eq_refl)) as [exact near].
change (53 - Z.div2 53)%Z with 27%Z in exact, near; change (-1074 + 2 * 53 - 1)%Z with (-969)%Z in exact.
replace (bpow radix2 27 + 1) with 134217729 in exact, near by (simpl; lra).
assert (half : forall x, snd (split x) = nearest (x - fst (split x)) /\
  fst (split x) = nearest (nearest (x - nearest (x * 134217729)) + nearest (x * 134217729))).
{ intros x; split; [reflexivity|]; cbn [fst split]; f_equal; rewrite <- (Ropp_minus_distr x), nearest_opp; ring. }
assert (is : fst (two_product a b) + snd (two_product a b) = nearest (a * b) + nearest (nearest (nearest (nearest
  (- nearest (a * b) + nearest (fst (split a) * fst (split b))) + nearest (fst (split a) * snd (split b))) +
  nearest (snd (split a) * fst (split b))) + nearest (snd (split a) * snd (split b)))).
{ unfold two_product; rewrite (surjective_pairing (split a)), (surjective_pairing (split b)); cbn [fst snd].
  now rewrite (Rplus_comm (- nearest (a * b))). }
rewrite (proj1 (half a)), (proj1 (half b)), (proj2 (half a)), (proj2 (half b)) in is.
split; [intros far; rewrite is; symmetry; exact (exact far)|].
rewrite is, Rabs_minus_sym; exact near.
Qed.

(* ------ Bounds that are enlarged by counted roundings ------ *)

Definition smallest := bpow radix2 (-1074).

Lemma smallest_is_two_tiny : smallest = 2 * tiny.
Proof. unfold smallest, tiny; change (-1074)%Z with (1 + -1075)%Z; now rewrite bpow_plus. Qed.

Lemma float_smallest n : INR n <= 9007199254740992 -> float (INR n * smallest).
Proof.
intros few; rewrite INR_IZR_INZ in *; apply float_multiple; [|lia].
change (2 ^ 53)%Z with 9007199254740992%Z; rewrite Z.abs_eq by lia; now apply le_IZR.
Qed.

(* One rounding of something that is not negative, both ways. *)
Lemma nearest_below x : 0 <= x -> x <= (nearest x + tiny) * (1 + u).
Proof.
intros x0; destruct (an_operation_counts_one_rounding_and_one_loss (within_self x0)) as (_ & _ & _ & above & _).
rewrite Rplus_0_l in above; now rewrite pow_1 in above.
Qed.

Lemma nearest_sum_below a b : float a -> float b -> 0 <= a + b -> a + b <= nearest (a + b) * (1 + u).
Proof.
intros fa fb s0; destruct (a_sum_counts_one_rounding fa fb (within_self s0)) as (_ & _ & _ & above & _).
now rewrite Rplus_0_r, pow_1 in above.
Qed.

Definition enlarged value k :=
  let spread := nearest (nearest (nearest (nearest (INR k) + INR 4) * u) * nearest (101 / 100)) in
  nearest (next_up (nearest (value * nearest (1 + spread))) + nearest (nearest (INR k) * smallest)).

(* A computed number, enlarged by its roundings, is not below the exact one. *)
Theorem an_enlarged_number_is_above_the_exact_one k x value :
  within k (INR k * tiny) x value -> INR (k + 4) <= 67108864 -> x <= enlarged value k.
Proof.
intros (_ & x0 & v0 & above & _) few; pose proof u_positive as u0; pose proof tiny_positive as t0; pose proof (pos_INR k) as k0.
rewrite plus_INR in few; simpl INR in few.
assert (count : nearest (INR k) = INR k) by (apply nearest_float, float_count; lra).
unfold enlarged; rewrite nearest_units by (rewrite plus_INR; simpl; lra); rewrite count.
rewrite (nearest_float (x := INR k * smallest)) by (apply float_smallest; lra).
set (n := INR (k + 4)); assert (n4 : n = INR k + 4) by (unfold n; rewrite plus_INR; simpl; lra).
assert (nu : n * u <= / 1000000) by (rewrite u_value; lra).
assert (nf : float (n * u)) by (apply float_units; unfold n; rewrite plus_INR; simpl; lra).
assert (c1 : 1 <= nearest (101 / 100)).
{ rewrite <- (nearest_float (x := 1)) at 1 by (now apply (float_integer (n := 1))); apply nearest_le; lra. }
set (spread := nearest (n * u * nearest (101 / 100))).
assert (wide : n * u <= spread).
{ unfold spread; rewrite <- (nearest_float nf) at 1; apply nearest_le; rewrite <- (Rmult_1_r (n * u)) at 1; apply Rmult_le_compat_l; nra. }
assert (one : 1 + spread <= nearest (1 + spread) * (1 + u)).
{ apply nearest_sum_below; [now apply (float_integer (n := 1))|apply float_nearest|nra]. }
set (factor := nearest (1 + spread)) in *.
set (g := (1 + u) ^ k) in *; assert (g1 : 1 <= g) by apply growth_ge1.
assert (grow : g * (1 + u) ^ 2 <= 1 + (INR k + 3) * u).
{ unfold g; rewrite <- pow_add; replace (INR k + 3) with (INR (k + 2) + 1) by (rewrite plus_INR; simpl; lra).
  apply growth_of_few; rewrite plus_INR; simpl; lra. }
assert (factor_g : g * (1 + u) <= factor).
{ apply Rmult_le_reg_r with (1 + u); [lra|]; apply Rle_trans with (2 := one); simpl in grow.
  assert ((INR k + 3) * u <= n * u) by (rewrite n4; nra); nra. }
set (top := next_up (nearest (value * factor))).
assert (top_is : value * g * (1 + u) <= top).
{ apply Rle_trans with (value * factor); [nra|apply one_float_up_is_above_the_exact_result]. }
assert (ft : float top) by (apply float_next_up, float_nearest).
assert (fs : float (INR k * smallest)) by (apply float_smallest; lra).
rewrite smallest_is_two_tiny in *.
assert (all : top + INR k * (2 * tiny) <= nearest (top + INR k * (2 * tiny)) * (1 + u)).
{ apply nearest_sum_below; [assumption|assumption|]; assert (0 <= value * g) by nra; nra. }
set (result := nearest (top + INR k * (2 * tiny))) in *.
assert (small : g * (1 + u) <= 2).
{ simpl in grow; assert ((INR k + 3) * u <= n * u) by (rewrite n4; nra); nra. }
assert (lost : INR k * tiny * g * (1 + u) <= INR k * (2 * tiny)).
{ apply Rle_trans with (INR k * tiny * (g * (1 + u))); [right; ring|]; replace (INR k * (2 * tiny)) with (INR k * tiny * 2) by ring.
  apply Rmult_le_compat_l; [nra|assumption]. }
apply Rmult_le_reg_r with (1 + u); [lra|]; apply Rle_trans with (2 := all).
apply Rle_trans with ((value + INR k * tiny) * g * (1 + u)); [apply scale_le; [lra|assumption]|].
replace ((value + INR k * tiny) * g * (1 + u)) with (value * g * (1 + u) + INR k * tiny * g * (1 + u)) by ring; lra.
Qed.

(* A sum of terms that are not negative, times what its roundings may have taken from it. *)
Definition raised sum k := nearest (sum * nearest (1 + accumulated k u)).

(* A sum that is raised by three roundings more than it has is not below the exact one, but for what underflow took. *)
Theorem a_raised_sum_is_above_the_exact_one k e x sum :
  within k e x sum -> counted_units (k + 3) u < nearest (1 / 1000) -> x <= raised sum (k + 3) + tiny + e * (1 + u) ^ k.
Proof.
intros (e0 & x0 & s0 & above & _) few; pose proof u_positive as u0.
assert (unit : bpow radix2 (-200) <= u) by (unfold u; apply bpow_le; lia).
pose proof (accumulated_is_above_what_roundings_add unit few) as enough.
pose proof (growth_ge1 (k + 3)) as g1; unfold raised; set (more := accumulated (k + 3) u) in *.
assert (factor : 1 + more <= nearest (1 + more) * (1 + u)).
{ apply nearest_sum_below; [now apply (float_integer (n := 1))|apply float_nearest|lra]. }
set (f := nearest (1 + more)) in *; set (g := (1 + u) ^ k) in *.
assert (g1' : 1 <= g) by apply growth_ge1.
assert (split : (1 + u) ^ (k + 3) = g * (1 + u) * (1 + u) * (1 + u)) by (unfold g; rewrite pow_add; simpl; ring).
assert (fg : g * (1 + u) * (1 + u) <= f) by (apply Rmult_le_reg_r with (1 + u); lra).
assert (f0 : 0 <= f) by (apply Rle_trans with (2 := fg); apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
assert (p0 : 0 <= sum * f) by now apply Rmult_le_pos.
pose proof (nearest_below p0) as product; set (p := nearest (sum * f)) in *.
assert (low : sum * g * (1 + u) <= p + tiny).
{ apply Rmult_le_reg_r with (1 + u); [lra|]; apply Rle_trans with (2 := product).
  apply Rle_trans with (sum * (g * (1 + u) * (1 + u))); [right; ring|now apply Rmult_le_compat_l]. }
assert (0 <= sum * g) by (apply Rmult_le_pos; lra); assert (0 <= sum * g * u) by (apply Rmult_le_pos; lra); lra.
Qed.

(* ------ Roots ------ *)

Lemma float_is_not_tiny x : float x -> 0 < x -> smallest <= x.
Proof. intros fx x0; apply generic_format_ge_bpow with (fexp := format); [intros; apply Z.le_max_r|assumption|assumption]. Qed.

(* The root of a float does not underflow. *)
Lemma roots_are_rounded_once x : float x -> 0 <= x -> within 1 0 (sqrt x) (nearest (sqrt x)) /\ (sqrt x = 0 \/ bpow radix2 (-538) <= nearest (sqrt x)).
Proof.
intros fx [x0 | <-].
- assert (far : bpow radix2 (-537) <= sqrt x).
  { rewrite <- (sqrt_Rsqr (bpow radix2 (-537))) by apply bpow_ge_0; apply sqrt_le_1_alt.
    unfold Rsqr; rewrite <- bpow_plus; exact (float_is_not_tiny fx x0). }
  assert (low : bpow radix2 (-1022) <= bpow radix2 (-537)) by (apply bpow_le; lia).
  assert (one : within 1 0 (sqrt x) (nearest (sqrt x))).
  { apply a_normal_operation_counts_one_rounding; [right; lra|apply within_self, sqrt_pos]. }
  split; [assumption|right]; destruct one as (_ & _ & _ & above & _).
  rewrite Rplus_0_r, pow_1 in above; pose proof u_small.
  assert (half : bpow radix2 (-537) = 2 * bpow radix2 (-538)) by (change (-537)%Z with (1 + -538)%Z; now rewrite bpow_plus).
  pose proof (bpow_gt_0 radix2 (-538)); pose proof u_positive; apply Rmult_le_reg_r with (1 + u); [lra|].
  assert (bpow radix2 (-538) * u <= bpow radix2 (-538) * 1) by (apply Rmult_le_compat_l; lra); lra.
- rewrite sqrt_0, (nearest_float float_0); split; [|now left].
  apply (within_weaken (k := 0) (e := 0)); [lia|lra|apply within_self; lra].
Qed.

Definition root_up root n :=
  nearest (nearest (root * nearest (1 + nearest (nearest (nearest (INR n) + INR 8) * u))) + nearest (nearest (INR n) * bpow radix2 (-530))).

(* The computed root of a sum of squares, in any order, is enlarged to no less than the exact norm. *)
Theorem an_enlarged_root_is_above_the_norm n x square : float square ->
  within n (INR n * tiny) x square -> INR (n + 8) <= 67108864 -> sqrt x <= root_up (nearest (sqrt square)) n.
Proof.
intros fs (_ & x0 & s0 & above & _) few; pose proof u_positive as u0; pose proof tiny_positive as t0; pose proof (pos_INR n) as n0.
rewrite plus_INR in few; simpl INR in few.
assert (count : nearest (INR n) = INR n) by (apply nearest_float, float_count; lra).
unfold root_up; rewrite nearest_units by (rewrite plus_INR; simpl; lra); rewrite count.
destruct (roots_are_rounded_once fs s0) as ((_ & _ & root0 & root_above & _) & far); rewrite Rplus_0_r, pow_1 in root_above.
set (root := nearest (sqrt square)) in *.
set (b := bpow radix2 (-530)); assert (b0 : 0 < b) by apply bpow_gt_0.
assert (fb : float (INR n * b)).
{ rewrite INR_IZR_INZ in *; apply float_multiple; [|lia].
  rewrite Z.abs_eq by lia; apply le_IZR; change (IZR (2 ^ 53)) with 9007199254740992; lra. }
rewrite (nearest_float fb).
set (k := INR (n + 8)); assert (k8 : k = INR n + 8) by (unfold k; rewrite plus_INR; simpl; lra).
assert (fk : float (k * u)) by (apply float_units; unfold k; rewrite plus_INR; simpl; lra).
assert (one : 1 + k * u <= nearest (1 + k * u) * (1 + u)).
{ apply nearest_sum_below; [now apply (float_integer (n := 1))|assumption|nra]. }
set (factor := nearest (1 + k * u)) in *.
assert (f1 : 1 <= factor).
{ unfold factor; rewrite <- (nearest_float (x := 1)) at 1 by (now apply (float_integer (n := 1))); apply nearest_le; nra. }
assert (product : root * factor <= nearest (root * factor) * (1 + u)).
{ destruct far as [zero | far].
  - assert (root = 0) as -> by (unfold root; rewrite zero; apply (nearest_float float_0)).
    rewrite Rmult_0_l, (nearest_float float_0); lra.
  - assert (p0 : 0 <= root * factor) by nra.
    assert (within 1 0 (root * factor) (nearest (root * factor))) as (_ & _ & _ & up & _).
    { apply a_normal_operation_counts_one_rounding; [right|now apply within_self].
      apply Rle_trans with (bpow radix2 (-538)); [apply bpow_le; lia|nra]. }
    now rewrite Rplus_0_r, pow_1 in up. }
set (a := nearest (root * factor)) in *.
assert (a0 : 0 <= a) by (apply nearest_ge0; nra).
assert (sum : a + INR n * b <= nearest (a + INR n * b) * (1 + u)).
{ apply nearest_sum_below; [apply float_nearest|assumption|nra]. }
set (result := nearest (a + INR n * b)) in *.
set (g := (1 + u) ^ n) in *; assert (g1 : 1 <= g) by apply growth_ge1.
assert (grow : g * (1 + u) ^ 4 <= 1 + (INR n + 5) * u).
{ unfold g; rewrite <- pow_add; replace (INR n + 5) with (INR (n + 4) + 1) by (rewrite plus_INR; simpl; lra).
  apply growth_of_few; rewrite plus_INR; simpl; lra. }
(* The exact norm. *)
assert (lost : sqrt (INR n * tiny) <= INR n * bpow radix2 (-537)).
{ destruct (Rle_lt_or_eq_dec _ _ n0) as [positive | zero].
  - assert (1 <= INR n) by (apply (le_INR 1); apply INR_lt in positive || (apply INR_lt; simpl; lra); lia).
    rewrite <- (sqrt_Rsqr (INR n * bpow radix2 (-537))) by (apply Rmult_le_pos; [lra|apply bpow_ge_0]).
    apply sqrt_le_1_alt; unfold Rsqr.
    replace (INR n * bpow radix2 (-537) * (INR n * bpow radix2 (-537))) with (INR n * INR n * (bpow radix2 (-537) * bpow radix2 (-537))) by ring.
    rewrite <- bpow_plus; apply Rmult_le_compat; [lra|lra|nra|unfold tiny; apply bpow_le; lia].
  - rewrite <- zero, !Rmult_0_l, sqrt_0; lra. }
assert (norm : sqrt x <= (sqrt square + INR n * bpow radix2 (-537)) * g).
{ apply Rle_trans with (sqrt ((square + INR n * tiny) * g)); [now apply sqrt_le_1_alt|].
  assert (nt : 0 <= INR n * tiny) by nra.
  rewrite sqrt_mult by lra; apply Rmult_le_compat; [apply sqrt_pos|apply sqrt_pos| |].
  - apply Rle_trans with (sqrt square + sqrt (INR n * tiny)); [|lra].
    rewrite <- (sqrt_Rsqr (sqrt square + sqrt (INR n * tiny))) by (apply Rplus_le_le_0_compat; apply sqrt_pos).
    apply sqrt_le_1_alt; unfold Rsqr; pose proof (sqrt_sqrt _ s0); pose proof (sqrt_sqrt _ nt).
    pose proof (sqrt_pos square); pose proof (sqrt_pos (INR n * tiny)); nra.
  - rewrite <- (sqrt_Rsqr g) at 2 by lra; apply sqrt_le_1_alt; unfold Rsqr; nra. }
assert (small : bpow radix2 (-537) = / 128 * b) by (unfold b; change (-537)%Z with (-7 + -530)%Z; rewrite bpow_plus; simpl; lra).
rewrite small in norm.
assert (cube : 1 <= (1 + u) * (1 + u)) by nra.
assert (cube3 : 1 <= (1 + u) * (1 + u) * (1 + u)) by nra.
assert (nb : 0 <= INR n * b) by (apply Rmult_le_pos; lra).
apply Rle_trans with (1 := norm); apply Rmult_le_reg_r with ((1 + u) * (1 + u) * (1 + u)); [lra|].
apply Rle_trans with (root * (1 + k * u) + INR n * b).
- assert (roots : sqrt square * (g * ((1 + u) * (1 + u) * (1 + u))) <= root * (g * (1 + u) ^ 4)).
  { simpl; replace (root * (g * ((1 + u) * ((1 + u) * ((1 + u) * ((1 + u) * 1)))))) with (root * (1 + u) * (g * ((1 + u) * (1 + u) * (1 + u)))) by ring.
    apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|assumption]. }
  assert (root * (g * (1 + u) ^ 4) <= root * (1 + k * u)) by (apply Rmult_le_compat_l; [assumption|]; rewrite k8; nra).
  assert (g4 : g * ((1 + u) * (1 + u) * (1 + u)) <= 2).
  { simpl in grow; assert ((INR n + 5) * u <= / 1000) by (rewrite u_value; lra).
    assert (g * ((1 + u) * (1 + u) * (1 + u)) * 1 <= g * ((1 + u) * (1 + u) * (1 + u)) * (1 + u)) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|lra]); lra. }
  assert (INR n * b * / 128 * (g * ((1 + u) * (1 + u) * (1 + u))) <= INR n * b * / 128 * 2) by (apply Rmult_le_compat_l; lra).
  replace ((sqrt square + INR n * (/ 128 * b)) * g * ((1 + u) * (1 + u) * (1 + u))) with
    (sqrt square * (g * ((1 + u) * (1 + u) * (1 + u))) + INR n * b * / 128 * (g * ((1 + u) * (1 + u) * (1 + u)))) by ring; lra.
- assert (up : root * (1 + k * u) <= a * ((1 + u) * (1 + u))).
  { apply Rle_trans with (root * (factor * (1 + u))); [now apply Rmult_le_compat_l|].
    replace (root * (factor * (1 + u))) with (root * factor * (1 + u)) by ring.
    replace (a * ((1 + u) * (1 + u))) with (a * (1 + u) * (1 + u)) by ring; apply scale_le; [lra|assumption]. }
  assert ((a + INR n * b) * ((1 + u) * (1 + u)) <= result * (1 + u) * ((1 + u) * (1 + u))) by (apply scale_le; lra).
  assert (INR n * b * 1 <= INR n * b * ((1 + u) * (1 + u))) by (apply Rmult_le_compat_l; lra).
  replace (result * ((1 + u) * (1 + u) * (1 + u))) with (result * (1 + u) * ((1 + u) * (1 + u))) by ring; lra.
Qed.
