(* Floating point (SPEC 9): the kernels that a certified number passes through, in binary64 with rounding to nearest even.
   A float is a real number of the format: a mantissa of 53 bits times a power of two from 2^-1074 on. The format has no largest
   number: where f64 overflows it answers infinity, which is above every number, so that an upper end stays one.
   The reals are those of Coq's library, and the theorems of this file assume its axioms (see README.md). *)
From Coq Require Import Reals Lra Lia ZArith List.
From Flocq Require Import Core Relative Plus_error.

Set Implicit Arguments.
Unset Strict Implicit.
Set Bullet Behavior "Strict Subproofs".
Unset Lia Cache.
Unset Nra Cache.

Local Open Scope R_scope.

Definition format := FLT_exp (-1074) 53.
Definition float x := generic_format radix2 format x.
(* An operation of f64: the exact result, rounded to nearest, ties to even. *)
Definition nearest x := round radix2 format ZnearestE x.
Definition next_up x := succ radix2 format x.
Definition next_down x := pred radix2 format x.

(* The unit roundoff, and the most that one operation loses to underflow. *)
Definition u := bpow radix2 (-53).
Definition tiny := bpow radix2 (-1075).

Local Instance precision_is_positive : Prec_gt_0 53. Proof. easy. Qed.
Local Instance format_is_valid : Valid_exp format. Proof. now apply FLT_exp_valid. Qed.
Local Instance format_is_monotone : Monotone_exp format. Proof. apply FLT_exp_monotone. Qed.
Local Instance format_rounds_to_even : Exists_NE radix2 format. Proof. now apply exists_NE_FLT; right. Qed.

Lemma u_positive : 0 < u. Proof. apply bpow_gt_0. Qed.
Lemma tiny_positive : 0 < tiny. Proof. apply bpow_gt_0. Qed.
Lemma u_value : u = / 9007199254740992. Proof. reflexivity. Qed.
Lemma u_small : u <= / 1000000000000. Proof. rewrite u_value; lra. Qed.

Lemma float_nearest x : float (nearest x).
Proof. apply generic_format_round; auto with typeclass_instances. Qed.
Lemma nearest_float x : float x -> nearest x = x.
Proof. intros; apply round_generic; auto with typeclass_instances. Qed.
Lemma nearest_le x y : x <= y -> nearest x <= nearest y.
Proof. intros; apply round_le; auto with typeclass_instances. Qed.
Lemma float_0 : float 0. Proof. apply generic_format_0. Qed.
Lemma float_next_up x : float x -> float (next_up x).
Proof. intros; apply generic_format_succ; auto with typeclass_instances. Qed.
Lemma nearest_ge0 x : 0 <= x -> 0 <= nearest x.
Proof. intros; rewrite <- (nearest_float float_0); now apply nearest_le. Qed.

(* Whole multiples of a power of two, up to 2^53 of them, are floats. *)
Lemma float_multiple n e : (Z.abs n <= 2 ^ 53)%Z -> (-1074 <= e)%Z -> float (IZR n * bpow radix2 e).
Proof.
intros small low; destruct (Z.eq_dec (Z.abs n) (2 ^ 53)) as [top|below].
- assert (is : IZR n * bpow radix2 e = F2R (Float radix2 (Z.sgn n) (e + 53))).
  { unfold F2R; simpl Fnum; simpl Fexp; rewrite bpow_plus.
    assert (sign : n = (Z.sgn n * 2 ^ 53)%Z) by (rewrite <- top; now destruct n).
    rewrite sign at 1; rewrite mult_IZR; change (IZR (2 ^ 53)) with (bpow radix2 53); ring. }
  rewrite is; apply generic_format_FLT; eexists; [reflexivity| |simpl Fexp; lia].
  simpl Fnum; destruct n; simpl; lia.
- apply generic_format_FLT; exists (Float radix2 n e); [reflexivity|change (radix2 ^ 53)%Z with (2 ^ 53)%Z; simpl Fnum; lia|simpl; lia].
Qed.

Lemma float_integer n : (Z.abs n <= 2 ^ 53)%Z -> float (IZR n).
Proof. intros small; rewrite <- (Rmult_1_r (IZR n)); now apply (float_multiple (e := 0)). Qed.

(* ------ One operation ------ *)

(* One float above the computed result is at or above the exact one. *)
Theorem one_float_up_is_above_the_exact_result x : x <= next_up (nearest x).
Proof. apply succ_round_ge_id; auto with typeclass_instances. Qed.

Theorem one_float_down_is_below_the_exact_result x : next_down (nearest x) <= x.
Proof. apply pred_round_le_id; auto with typeclass_instances. Qed.

Lemma next_up_ge x : x <= next_up x. Proof. apply succ_ge_id. Qed.
Lemma next_down_le x : next_down x <= x. Proof. apply pred_le_id. Qed.

(* Nothing positive becomes 0. *)
Lemma next_up_positive x : 0 <= x -> 0 < next_up x.
Proof.
intros [positive|<-]; [apply Rlt_le_trans with (1 := positive), next_up_ge|].
unfold next_up, format; rewrite succ_0, ulp_FLT_0; [apply bpow_gt_0|easy].
Qed.

Definition add_down a b := Rmax (next_down (nearest (a + b))) 0.

Definition minus_up a b := if Rlt_bool b a then next_up (nearest (a - b)) else 0.

Theorem add_down_is_below_the_sum a b : 0 <= a + b -> 0 <= add_down a b <= a + b.
Proof.
intros sum; unfold add_down; split; [apply Rmax_r|apply Rmax_lub; [apply one_float_down_is_below_the_exact_result|assumption]].
Qed.

Theorem minus_up_is_above_the_difference a b : a - b <= minus_up a b.
Proof. unfold minus_up; case (Rlt_bool_spec b a); intros; [apply one_float_up_is_above_the_exact_result|lra]. Qed.

(* Numbers between two ends: sums, differences, products with a number that is not negative, and squares. *)
Theorem operations_on_intervals_round_outwards a b c d f x y :
  a <= x <= b -> c <= y <= d -> 0 <= f ->
  let least := Rmax (Rmax a (- b)) 0 in let most := Rmax (Rabs a) (Rabs b) in
  next_down (nearest (a + c)) <= x + y <= next_up (nearest (b + d)) /\
  next_down (nearest (a - d)) <= x - y <= next_up (nearest (b - c)) /\
  next_down (nearest (a * f)) <= x * f <= next_up (nearest (b * f)) /\
  Rmax (next_down (nearest (least * least))) 0 <= x * x <= next_up (nearest (most * most)).
Proof.
intros [ax xb] [cy yd] f0 least most.
assert (up : forall w z, w <= z -> w <= next_up (nearest z)).
{ intros w z wz; apply Rle_trans with (1 := wz), one_float_up_is_above_the_exact_result. }
assert (down : forall w z, z <= w -> next_down (nearest z) <= w).
{ intros w z wz; apply Rle_trans with (2 := wz), one_float_down_is_below_the_exact_result. }
repeat split; try (apply up); try (apply down); try lra; try (now apply Rmult_le_compat_r).
- apply Rmax_lub; [apply down|]; fold (Rsqr x); [|apply Rle_0_sqr]; fold (Rsqr least); apply Rsqr_le_abs_1.
  rewrite (Rabs_pos_eq least) by apply Rmax_r; apply Rmax_lub; [apply Rmax_lub|apply Rabs_pos].
  + apply Rle_trans with (1 := ax), Rle_abs.
  + rewrite <- Rabs_Ropp; apply Rle_trans with (- x); [lra|apply Rle_abs].
- fold (Rsqr x) (Rsqr most); apply Rsqr_le_abs_1; rewrite (Rabs_pos_eq most) by (apply Rle_trans with (Rabs a); [apply Rabs_pos|apply Rmax_l]).
  pose proof (Rmax_l (Rabs a) (Rabs b)) as left; pose proof (Rmax_r (Rabs a) (Rabs b)) as right; fold most in left, right.
  apply Rabs_le; split; [apply Rle_trans with a|apply Rle_trans with b; [assumption|]]; try assumption.
  + rewrite <- (Ropp_involutive a); apply Ropp_le_contravar; apply Rle_trans with (2 := left); rewrite <- Rabs_Ropp; apply Rle_abs.
  + apply Rle_trans with (2 := right), Rle_abs.
Qed.

Definition add_up a b := if Req_bool a 0 then b else if Req_bool b 0 then a else next_up (nearest (a + b)).

Definition times_up a b :=
  if Req_bool a 0 then 0 else if Req_bool b 0 then 0 else if Req_bool a 1 then b else next_up (nearest (a * b)).

Theorem add_up_is_above_the_sum a b : a + b <= add_up a b.
Proof.
unfold add_up; case (Req_bool_spec a 0); [lra|intros _]; case (Req_bool_spec b 0); [lra|intros _].
apply one_float_up_is_above_the_exact_result.
Qed.

Theorem add_up_makes_something_of_something_alone a b : 0 <= a -> 0 <= b -> 0 <= add_up a b /\ (add_up a b = 0 <-> a = 0 /\ b = 0).
Proof.
intros a0 b0; unfold add_up; case (Req_bool_spec a 0); [intros ->; lra|intros a1].
case (Req_bool_spec b 0); [intros ->; lra|intros b1].
assert (0 < next_up (nearest (a + b))) by (apply next_up_positive, nearest_ge0; lra); lra.
Qed.

Theorem times_up_is_above_the_product a b : a * b <= times_up a b.
Proof.
unfold times_up; case (Req_bool_spec a 0); [intros ->; lra|intros _].
case (Req_bool_spec b 0); [intros ->; lra|intros _]; case (Req_bool_spec a 1); [intros ->; lra|intros _].
apply one_float_up_is_above_the_exact_result.
Qed.

Theorem times_up_is_zero_for_a_zero_alone a b : 0 <= a -> 0 <= b -> 0 <= times_up a b /\ (times_up a b = 0 <-> a = 0 \/ b = 0).
Proof.
intros a0 b0; unfold times_up; case (Req_bool_spec a 0); [intros ->; lra|intros a1].
case (Req_bool_spec b 0); [intros ->; lra|intros b1]; case (Req_bool_spec a 1); [intros ->; lra|intros _].
assert (0 < next_up (nearest (a * b))) by (apply next_up_positive, nearest_ge0, Rmult_le_pos; lra); lra.
Qed.

(* What is fed with more returns more: bounds can be chained. *)
Lemma add_up_chain a b x y : x <= a -> y <= b -> x + y <= add_up a b.
Proof. intros; apply Rle_trans with (a + b); [lra|apply add_up_is_above_the_sum]. Qed.

Lemma times_up_chain a b x y : 0 <= x <= a -> 0 <= y <= b -> x * y <= times_up a b.
Proof. intros; apply Rle_trans with (a * b); [apply Rmult_le_compat; lra|apply times_up_is_above_the_product]. Qed.

(* A quotient of integers: both are converted to floats, to nearest. *)
Definition ratio_up above below :=
  if Z.eqb above 0 then 0 else if Z.eqb above below then 1
  else next_up (nearest (next_up (nearest (IZR above)) / next_down (nearest (IZR below)))).

Theorem ratio_up_is_above_the_quotient above below :
  (0 <= above)%Z -> (0 < below)%Z -> IZR above / IZR below <= ratio_up above below.
Proof.
intros above0 below0; unfold ratio_up.
assert (b0 : 0 < IZR below) by now apply IZR_lt.
case (Z.eqb_spec above 0); [intros ->; unfold Rdiv; lra|intros _].
case (Z.eqb_spec above below); [intros ->; right; field; lra|intros _].
apply Rle_trans with (2 := one_float_up_is_above_the_exact_result _).
assert (low : 0 < next_down (nearest (IZR below))).
{ assert (one : 1 <= nearest (IZR below)).
  { rewrite <- (nearest_float (x := 1)) by now apply (float_integer (n := 1)).
    apply nearest_le, IZR_le; lia. }
  apply Rlt_le_trans with (/ 2); [lra|].
  apply pred_ge_gt; auto with typeclass_instances.
  - replace (/ 2) with (1 * bpow radix2 (-1)) by (simpl; lra); now apply float_multiple.
  - apply float_nearest.
  - lra. }
assert (le : next_down (nearest (IZR below)) <= IZR below) by apply one_float_down_is_below_the_exact_result.
assert (ge : IZR above <= next_up (nearest (IZR above))) by apply one_float_up_is_above_the_exact_result.
assert (0 <= IZR above) by now apply IZR_le.
apply Rmult_le_compat; [lra|now apply Rlt_le, Rinv_0_lt_compat|lra|now apply Rinv_le].
Qed.

Lemma ratio_up_ge0 above below : (0 <= above)%Z -> (0 < below)%Z -> 0 <= ratio_up above below.
Proof.
intros above0 below0; apply Rle_trans with (2 := ratio_up_is_above_the_quotient above0 below0).
apply Rmult_le_pos; [now apply IZR_le|now apply Rlt_le, Rinv_0_lt_compat, IZR_lt].
Qed.

Definition absorb_up arrived above below :=
  (times_up (ratio_up above below) arrived, times_up (ratio_up (below - above) below) arrived).

(* Of x <= arrived the fraction theta is absorbed, and 1 - theta is left: neither is below what it is exactly. *)
Theorem absorb_up_is_above_both_shares arrived above below x :
  (0 <= above <= below)%Z -> (0 < below)%Z -> 0 <= x <= arrived ->
  IZR above / IZR below * x <= fst (absorb_up arrived above below) /\
  (1 - IZR above / IZR below) * x <= snd (absorb_up arrived above below).
Proof.
intros [above0 most] below0 within; assert (b0 : 0 < IZR below) by now apply IZR_lt.
assert (share : forall n, (0 <= n)%Z -> 0 <= IZR n / IZR below).
{ intros n n0; apply Rmult_le_pos; [now apply IZR_le|now apply Rlt_le, Rinv_0_lt_compat]. }
assert (left : (1 - IZR above / IZR below) = IZR (below - above) / IZR below) by (rewrite minus_IZR; field; lra).
split; simpl; [|rewrite left]; apply times_up_chain; try assumption; (split; [apply share; lia|]);
apply ratio_up_is_above_the_quotient; lia.
Qed.

Theorem nothing_is_left_by_the_fraction_one arrived below : snd (absorb_up arrived below below) = 0.
Proof. simpl; unfold ratio_up; rewrite Z.sub_diag; simpl; unfold times_up; now rewrite Req_bool_true. Qed.

(* ------ Counted roundings ------ *)

(* y is a computed value of x >= 0 with at most k roundings on any path, to whose arguments underflow has done at most e. *)
Definition within k e x y :=
  0 <= e /\ 0 <= x /\ 0 <= y /\ x <= (y + e) * (1 + u) ^ k /\ y <= (x + e) * (1 + u) ^ k.

Lemma growth_ge1 k : 1 <= (1 + u) ^ k.
Proof. apply pow_R1_Rle; pose proof u_positive; lra. Qed.

Lemma scale_le a b c : 0 <= c -> a <= b -> a * c <= b * c.
Proof. intros; now apply Rmult_le_compat_r. Qed.

Lemma within_self x : 0 <= x -> within 0 0 x x.
Proof. intros; unfold within; simpl; lra. Qed.

Lemma within_weaken k l e f x y : (k <= l)%nat -> e <= f -> within k e x y -> within l f x y.
Proof.
intros kl ef (e0 & x0 & y0 & above & below).
assert (grow : (1 + u) ^ k <= (1 + u) ^ l) by (apply Rle_pow; [pose proof u_positive; lra|assumption]).
pose proof (growth_ge1 k); unfold within; repeat split; try lra.
- apply Rle_trans with (1 := above), Rmult_le_compat; lra.
- apply Rle_trans with (1 := below), Rmult_le_compat; lra.
Qed.

(* What is within 1 + u in each direction, up to d, is one rounding. *)
Lemma within_step k e d x y z : 0 <= d -> 0 <= z -> y <= (z + d) * (1 + u) -> z <= (y + d) * (1 + u) ->
  within k e x y -> within (S k) (e + d) x z.
Proof.
intros d0 z0 up down (e0 & x0 & y0 & above & below).
pose proof u_positive as u0; pose proof (growth_ge1 k) as g; repeat split; try lra; simpl.
- apply Rle_trans with (1 := above); rewrite <- Rmult_assoc; apply scale_le; [lra|].
  apply Rle_trans with ((z + d) * (1 + u) + e * (1 + u)); [|right; ring].
  apply Rplus_le_compat; [assumption|]; rewrite <- (Rmult_1_r e) at 1; apply Rmult_le_compat_l; lra.
- apply Rle_trans with (1 := down).
  rewrite (Rmult_comm (1 + u)), <- Rmult_assoc; apply scale_le; [lra|].
  apply Rle_trans with ((x + e) * (1 + u) ^ k + d * (1 + u) ^ k); [|right; ring].
  apply Rplus_le_compat; [assumption|]; rewrite <- (Rmult_1_r d) at 1; apply Rmult_le_compat_l; lra.
Qed.

Lemma relative_both_ways x eps : 0 <= x -> Rabs eps <= u / (1 + u) ->
  x <= x * (1 + eps) * (1 + u) /\ x * (1 + eps) <= x * (1 + u).
Proof.
intros x0 small; pose proof u_positive as u0; apply Rabs_le_inv in small; destruct small as [low high].
assert (high' : eps <= u).
{ apply Rle_trans with (1 := high); apply Rmult_le_reg_r with (1 + u); [lra|].
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra. }
assert (one : 1 <= (1 + eps) * (1 + u)).
{ apply Rle_trans with ((1 + - (u / (1 + u))) * (1 + u)); [right; field; lra|apply scale_le; lra]. }
split; [rewrite Rmult_assoc; rewrite <- (Rmult_1_r x) at 1|]; apply Rmult_le_compat_l; lra.
Qed.

Lemma u_ro_is_u : u_ro radix2 53 = u.
Proof. unfold u_ro, u; simpl; lra. Qed.

(* Any operation, underflow included. *)
Theorem an_operation_counts_one_rounding_and_one_loss k e x y : within k e x y -> within (S k) (e + tiny) x (nearest y).
Proof.
intros is; assert (y0 : 0 <= y) by apply is; pose proof u_positive as u0; pose proof tiny_positive as t0.
destruct (relative_error_N_FLT'_ex radix2 (-1074) 53 eq_refl (fun n => negb (Z.even n)) y) as (eps & eta & small & lost & zero & rounded).
fold format in rounded; change (nearest y = y * (1 + eps) + eta) in rounded.
rewrite u_ro_is_u in small; change (/ 2 * bpow radix2 (-1074)) with (/ 2 * bpow radix2 (1 + -1075)) in lost.
rewrite bpow_plus in lost; change (bpow radix2 1) with 2 in lost; fold tiny in lost.
assert (lost' : Rabs eta <= tiny) by lra; apply Rabs_le_inv in lost'.
apply (within_step (y := y)); [lra|now apply nearest_ge0| | |assumption].
- rewrite rounded; apply Rmult_integral in zero; destruct zero as [->| ->].
  + rewrite Rplus_0_r, Rmult_1_r; nra.
  + destruct (relative_both_ways y0 small); nra.
- rewrite rounded; apply Rmult_integral in zero; destruct zero as [->| ->].
  + rewrite Rplus_0_r, Rmult_1_r; nra.
  + destruct (relative_both_ways y0 small); nra.
Qed.

(* A result of at least 2^-1022, or 0, does not underflow. *)
Theorem a_normal_operation_counts_one_rounding k e x y :
  y = 0 \/ bpow radix2 (-1022) <= y -> within k e x y -> within (S k) e x (nearest y).
Proof.
intros normal is; assert (y0 : 0 <= y) by apply is; rewrite <- (Rplus_0_r e); pose proof u_positive.
apply (within_step (y := y)); [lra|now apply nearest_ge0| | |assumption]; rewrite Rplus_0_r.
all: destruct normal as [->|normal]; [rewrite (nearest_float float_0); lra|].
all: assert (0 < y) by (apply Rlt_le_trans with (2 := normal), bpow_gt_0).
all: assert (big : bpow radix2 (-1074 + 53 - 1) <= Rabs y) by now rewrite Rabs_pos_eq.
all: destruct (relative_error_N_FLX'_ex radix2 53 eq_refl (fun n => negb (Z.even n)) y) as (eps & small & rounded).
all: assert (is_FLX : nearest y = y * (1 + eps)) by (rewrite <- rounded; now apply round_FLT_FLX).
all: rewrite u_ro_is_u in small; rewrite is_FLX; now apply relative_both_ways.
Qed.

(* Sums of floats do not underflow. *)
Theorem a_sum_counts_one_rounding k e x a b : float a -> float b -> within k e x (a + b) -> within (S k) e x (nearest (a + b)).
Proof.
intros fa fb is; assert (s0 : 0 <= a + b) by apply is; rewrite <- (Rplus_0_r e).
destruct (FLT_plus_error_N_ex radix2 (-1074) 53 (fun n => negb (Z.even n)) a b fa fb) as (eps & small & rounded).
rewrite u_ro_is_u in small; change (nearest (a + b) = (a + b) * (1 + eps)) in rounded.
apply (within_step (y := a + b)); try rewrite Rplus_0_r; [lra|now apply nearest_ge0| | |assumption];
rewrite rounded; now apply relative_both_ways.
Qed.

(* Exact sums take the worst of their terms, exact products and quotients add their roundings. *)
Theorem sums_have_the_roundings_of_their_terms k e f x y a b :
  within k e x y -> within k f a b -> within k (e + f) (x + a) (y + b).
Proof.
intros (e0 & x0 & y0 & above & below) (f0 & a0 & b0 & above' & below'); repeat split; lra.
Qed.

Theorem products_add_their_roundings k l e f loss x y a b : (y + e) * (b + f) <= y * b + loss -> (x + e) * (a + f) <= x * a + loss ->
  within k e x y -> within l f a b -> within (k + l) loss (x * a) (y * b).
Proof.
intros up down (e0 & x0 & y0 & above & below) (f0 & a0 & b0 & above' & below').
pose proof (growth_ge1 k); pose proof (growth_ge1 l).
assert (0 <= x * a) by now apply Rmult_le_pos.
assert (0 <= y * b) by now apply Rmult_le_pos.
assert (0 <= e * (b + f) + y * f) by (apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra).
unfold within; rewrite pow_add, !(Rmult_comm (_ + loss)); repeat split; [lra|assumption|assumption| |].
- apply Rle_trans with ((y + e) * (1 + u) ^ k * ((b + f) * (1 + u) ^ l)); [now apply Rmult_le_compat|].
  apply Rle_trans with ((1 + u) ^ k * (1 + u) ^ l * ((y + e) * (b + f))); [right; ring|].
  apply Rmult_le_compat_l; [apply Rmult_le_pos|]; lra.
- apply Rle_trans with ((x + e) * (1 + u) ^ k * ((a + f) * (1 + u) ^ l)); [now apply Rmult_le_compat|].
  apply Rle_trans with ((1 + u) ^ k * (1 + u) ^ l * ((x + e) * (a + f))); [right; ring|].
  apply Rmult_le_compat_l; [apply Rmult_le_pos|]; lra.
Qed.

Lemma within_inverse k x y : 0 < x -> 0 < y -> within k 0 x y -> within k 0 (/ x) (/ y).
Proof.
intros x0 y0 (_ & _ & _ & above & below); rewrite Rplus_0_r in above, below; pose proof (growth_ge1 k) as g.
assert (flip : forall a b, 0 < a -> 0 < b -> a <= b * (1 + u) ^ k -> / b <= / a * (1 + u) ^ k).
{ intros a b a0 b0 le; apply Rmult_le_reg_l with (a * b); [now apply Rmult_lt_0_compat|].
  replace (a * b * / b) with a by (field; lra).
  replace (a * b * (/ a * (1 + u) ^ k)) with (b * (1 + u) ^ k) by (field; lra); assumption. }
repeat split; try rewrite Rplus_0_r; try (now apply Rlt_le, Rinv_0_lt_compat); [lra|apply flip|apply flip]; assumption.
Qed.

Theorem quotients_add_their_roundings k l x y a b : 0 < a -> 0 < b ->
  within k 0 x y -> within l 0 a b -> within (k + l) 0 (x / a) (y / b).
Proof.
intros a0 b0 is is'; unfold Rdiv; apply (products_add_their_roundings (e := 0) (f := 0)); [lra|lra|assumption|].
now apply within_inverse.
Qed.

(* The table of fast/src/bounds/accuracy.rs, where nothing underflows: entries x with k roundings, their squares, the sum of squares after c
   additions, and a share by an inverse and a product. *)
Theorem squares_and_shares_have_the_roundings_of_the_table k c x y norm computed :
  within k 0 x y -> within (2 * k + 1 + c) 0 norm computed -> 0 < norm -> 0 < computed ->
  let normal z := z = 0 \/ bpow radix2 (-1022) <= z in
  let square := nearest (y * y) in let inverse := nearest (1 / computed) in
  normal (y * y) -> normal (1 / computed) -> normal (square * inverse) ->
  within (2 * k + 1) 0 (x * x) square /\ within (4 * k + c + 4) 0 (x * x / norm) (nearest (square * inverse)).
Proof.
intros entry sum n0 c0 normal square inverse normal_square normal_inverse normal_share.
assert (squares : within (2 * k + 1) 0 (x * x) square).
{ replace (2 * k + 1)%nat with (S (k + k)) by lia; apply a_normal_operation_counts_one_rounding; [assumption|].
  apply (products_add_their_roundings (e := 0) (f := 0)); [lra|lra|assumption|assumption]. }
split; [assumption|].
replace (4 * k + c + 4)%nat with (S (2 * k + 1 + S (0 + (2 * k + 1 + c)))) by lia.
apply a_normal_operation_counts_one_rounding; [assumption|].
replace (x * x / norm) with (x * x * (1 / norm)) by (field; lra).
apply (products_add_their_roundings (e := 0) (f := 0)); [lra|lra|assumption|].
apply a_normal_operation_counts_one_rounding; [assumption|].
apply quotients_add_their_roundings; try assumption; apply within_self; lra.
Qed.

(* A sum of products in order, as mixed_entry computes it: own x_v, and then the neighbours. *)
Definition mixed_entry own at_v (row : list (R * R)) :=
  fold_left (fun sum term => nearest (sum + nearest (fst term * snd term))) row (nearest (own * at_v)).

(* The terms as they are meant, t, and as floats, (w, x). *)
Theorem mixed_entry_counts_one_rounding_a_term k e first own at_v (row : list (R * (R * R))) :
  within k e first (own * at_v) ->
  (forall t w x, In (t, (w, x)) row -> within k e t (w * x)) ->
  within (k + length row + 1) (INR (length row + 1) * (e + tiny))
    (fold_left (fun sum term => sum + fst term) row first) (mixed_entry own at_v (map snd row)).
Proof.
intros first_is terms_are; unfold mixed_entry.
assert (start : within (k + 1) (e + tiny) first (nearest (own * at_v))).
{ rewrite Nat.add_1_r; now apply an_operation_counts_one_rounding_and_one_loss. }
assert (step : forall row sum computed j loss,
  (forall t w x, In (t, (w, x)) row -> within k e t (w * x)) ->
  within (k + 1 + j) loss sum computed -> float computed ->
  within (k + 1 + j + length row) (loss + INR (length row) * (e + tiny))
    (fold_left (fun sum term => sum + fst term) row sum)
    (fold_left (fun sum term => nearest (sum + nearest (fst term * snd term))) (map snd row) computed)).
{ clear; induction row as [|[t [w x]] row inner]; intros sum computed j loss terms_are is isfloat.
  - simpl; rewrite Nat.add_0_r, Rmult_0_l, Rplus_0_r; assumption.
  - cbn [map fold_left fst snd length].
    replace (k + 1 + j + S (length row))%nat with (k + 1 + S j + length row)%nat by lia.
    replace (loss + INR (S (length row)) * (e + tiny)) with (loss + (e + tiny) + INR (length row) * (e + tiny))
      by (rewrite S_INR; ring).
    apply inner; [intros; now apply terms_are; right| |apply float_nearest].
    replace (k + 1 + S j)%nat with (S (k + 1 + j)) by lia.
    apply a_sum_counts_one_rounding; [assumption|apply float_nearest|].
    apply sums_have_the_roundings_of_their_terms; [assumption|].
    apply (within_weaken (k := S k) (e := e + tiny)); [lia|lra|].
    now apply an_operation_counts_one_rounding_and_one_loss, terms_are; left. }
replace (k + length row + 1)%nat with (k + 1 + 0 + length row)%nat by lia.
replace (INR (length row + 1) * (e + tiny)) with (e + tiny + INR (length row) * (e + tiny))
  by (rewrite plus_INR; simpl; ring).
apply step; [assumption|now rewrite Nat.add_0_r|apply float_nearest].
Qed.

(* ------ What k roundings amount to ------ *)

Lemma growth_times_loss v k : 0 <= v -> (1 + v) ^ k * (1 - INR k * v) <= 1.
Proof.
intros v0; induction k as [|k inner]; [simpl; lra|].
rewrite S_INR; simpl; assert (0 <= INR k) by apply pos_INR.
assert (0 <= (1 + v) ^ k) by (apply pow_le; lra).
apply Rle_trans with (2 := inner).
replace ((1 + v) * (1 + v) ^ k * (1 - (INR k + 1) * v)) with ((1 + v) ^ k * (1 - INR k * v - (INR k * v * v + v * v))) by ring.
apply Rmult_le_compat_l; [assumption|].
assert (0 <= INR k * v * v) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
assert (0 <= v * v) by (apply Rmult_le_pos; lra); lra.
Qed.

Lemma growth_of_few k : INR k <= 67108864 -> (1 + u) ^ k <= 1 + (INR k + 1) * u.
Proof.
intros few; pose proof (growth_times_loss k (Rlt_le _ _ u_positive)) as le; assert (k0 : 0 <= INR k) by apply pos_INR.
rewrite u_value in *; set (t := INR k * / 9007199254740992) in *.
assert (t0 : 0 <= t <= / 134217728) by (unfold t; lra).
assert (square : t * t <= / 2 * / 9007199254740992).
{ apply Rle_trans with (/ 134217728 * / 134217728); [now apply Rmult_le_compat|lra]. }
apply Rmult_le_reg_r with (1 - t); [lra|]; apply Rle_trans with (1 := le).
replace ((INR k + 1) * / 9007199254740992) with (t + / 9007199254740992) by (unfold t; ring); nra.
Qed.

Lemma INR_integer k : INR k = IZR (Z.of_nat k). Proof. apply INR_IZR_INZ. Qed.

(* A count is a float, and so is a count of units roundoff. *)
Lemma float_count n : INR n <= 9007199254740992 -> float (INR n).
Proof.
rewrite INR_integer; intros few; apply float_integer; rewrite Z.abs_eq by lia.
now apply le_IZR; change (IZR (2 ^ 53)) with 9007199254740992.
Qed.

Lemma float_units n : INR n <= 9007199254740992 -> float (INR n * u).
Proof.
rewrite INR_integer; intros few; apply float_multiple; [|lia]; rewrite Z.abs_eq by lia.
now apply le_IZR; change (IZR (2 ^ 53)) with 9007199254740992.
Qed.

Lemma nearest_count n m : INR (n + m) <= 9007199254740992 -> nearest (nearest (INR n) + INR m) = INR (n + m).
Proof.
intros few; assert (INR n <= INR (n + m)) by (apply le_INR; lia).
rewrite (nearest_float (x := INR n)) by (apply float_count; lra); rewrite <- plus_INR.
now apply nearest_float, float_count.
Qed.

Lemma nearest_units n m : INR (n + m) <= 9007199254740992 -> nearest (nearest (nearest (INR n) + INR m) * u) = INR (n + m) * u.
Proof. intros few; rewrite nearest_count by assumption; now apply nearest_float, float_units. Qed.

(* A sum of products that was rounded to nearest in any order, with at most as many roundings as there are terms. *)
Definition sum_up sum terms :=
  next_up (nearest (sum * next_up (nearest (1 + nearest (nearest (nearest (INR terms) + INR 3) * u))))).

Theorem sum_up_is_above_the_exact_sum terms x sum :
  within terms (INR terms * tiny) x sum -> INR terms <= 67108864 -> bpow radix2 (-900) < sum -> x <= sum_up sum terms.
Proof.
intros (_ & _ & s0 & above & _) few far; unfold sum_up.
assert (n0 : 0 <= INR terms) by apply pos_INR; pose proof tiny_positive as t0.
rewrite nearest_units by (rewrite plus_INR; simpl; lra).
apply Rle_trans with (2 := one_float_up_is_above_the_exact_result _).
apply Rle_trans with (sum * (1 + INR (terms + 3) * u)); [|apply Rmult_le_compat_l; [assumption|apply one_float_up_is_above_the_exact_result]].
apply Rle_trans with (1 := above).
assert (lost : INR terms * tiny <= sum * / 1180591620717411303424).
{ assert (small : tiny <= bpow radix2 (-900) * (/ 1180591620717411303424 * / 67108864)).
  { unfold tiny; replace (-1075)%Z with (-900 + -175)%Z by lia; rewrite bpow_plus.
    apply Rmult_le_compat_l; [apply bpow_ge_0|].
    replace (-175)%Z with (-70 + (-26 + -79))%Z by lia; rewrite !bpow_plus.
    change (bpow radix2 (-70)) with (/ 1180591620717411303424); change (bpow radix2 (-26)) with (/ 67108864).
    assert (bpow radix2 (-79) <= 1) by (apply (bpow_le radix2 (-79) 0); lia); nra. }
  apply Rle_trans with (67108864 * tiny); [apply scale_le; lra|]; nra. }
apply Rle_trans with ((sum + sum * / 1180591620717411303424) * (1 + (INR terms + 1) * u)).
{ apply Rmult_le_compat; [|apply pow_le; pose proof u_positive; lra|lra|now apply growth_of_few].
  assert (0 <= INR terms * tiny) by (apply Rmult_le_pos; lra); lra. }
rewrite plus_INR; simpl (INR 3); rewrite u_value.
replace (sum + sum * / 1180591620717411303424) with (sum * (1 + / 1180591620717411303424)) by ring.
rewrite Rmult_assoc; apply Rmult_le_compat_l; [assumption|]; nra.
Qed.

(* The product of a row of weights with a vector, rounded up: in order and with sum_up far from underflow, term by term elsewhere. *)
Definition mixed_entry_up own at_v (row : list (R * R)) :=
  let sum := mixed_entry own at_v row in
  if Rlt_bool (bpow radix2 (-900)) sum then sum_up sum (length row + 1)
  else fold_left (fun sum term => add_up sum (times_up (fst term) (snd term))) row (times_up own at_v).

Definition row_product own at_v (row : list (R * R)) := fold_left (fun sum term => sum + fst term * snd term) row (own * at_v).

Theorem mixed_entry_up_is_above_the_product_of_the_row own at_v row :
  0 <= own * at_v -> (forall w x, In (w, x) row -> 0 <= w * x) -> INR (length row + 1) <= 67108864 ->
  row_product own at_v row <= mixed_entry_up own at_v row.
Proof.
intros first terms few; unfold mixed_entry_up; case Rlt_bool_spec; intros far.
- apply sum_up_is_above_the_exact_sum; [|assumption|assumption].
  pose (pairs := map (fun term => (fst term * snd term, term)) row).
  assert (same : map snd pairs = row) by (unfold pairs; rewrite map_map, map_id; reflexivity).
  assert (size : length pairs = length row) by apply map_length.
  assert (sum : row_product own at_v row = fold_left (fun sum term => sum + fst term) pairs (own * at_v)).
  { unfold row_product, pairs; generalize (own * at_v); clear; induction row as [|[w x] row inner]; [reflexivity|].
    intros start; simpl; apply inner. }
  replace (mixed_entry own at_v row) with (mixed_entry own at_v (map snd pairs)) by now rewrite same.
  rewrite sum, <- size.
  replace (length pairs + 1)%nat with (0 + length pairs + 1)%nat by lia.
  rewrite <- (Rplus_0_l tiny); apply mixed_entry_counts_one_rounding_a_term; [now apply within_self|].
  intros t w x; unfold pairs; rewrite in_map_iff; intros ([w' x'] & is & inside); injection is as <- -> ->.
  now apply within_self, terms.
- unfold row_product.
  assert (step : forall row sum computed, sum <= computed ->
    fold_left (fun sum term => sum + fst term * snd term) row sum
      <= fold_left (fun sum term => add_up sum (times_up (fst term) (snd term))) row computed).
  { clear; induction row as [|[w x] row inner]; intros sum computed le; [assumption|simpl].
    apply inner, add_up_chain; [assumption|apply times_up_is_above_the_product]. }
  apply step, times_up_is_above_the_product.
Qed.

Theorem mixed_entry_up_makes_nothing_of_nothing own at_v row :
  own = 0 \/ at_v = 0 -> (forall w x, In (w, x) row -> w = 0 \/ x = 0) -> mixed_entry_up own at_v row = 0.
Proof.
intros first terms; assert (zero : forall w x, w = 0 \/ x = 0 -> nearest (w * x) = 0 /\ times_up w x = 0).
{ intros w x is; assert (w * x = 0) as -> by (destruct is as [->| ->]; ring).
  split; [apply nearest_float, float_0|]; unfold times_up.
  destruct is as [->| ->]; [now rewrite Req_bool_true|]; rewrite (Req_bool_true 0 0) by reflexivity; now case Req_bool. }
assert (sum : mixed_entry own at_v row = 0).
{ unfold mixed_entry; rewrite (proj1 (zero _ _ first)); revert terms; clear - zero.
  induction row as [|[w x] row inner]; intros terms; [reflexivity|simpl].
  rewrite (proj1 (zero w x (terms w x (or_introl eq_refl)))), Rplus_0_r, (nearest_float float_0).
  apply inner; intros; now apply terms; right. }
unfold mixed_entry_up; rewrite sum, Rlt_bool_false by (apply bpow_ge_0); rewrite (proj2 (zero _ _ first)).
revert terms; clear - zero; induction row as [|[w x] row inner]; intros terms; [reflexivity|simpl].
rewrite (proj2 (zero w x (terms w x (or_introl eq_refl)))); unfold add_up at 2; rewrite Req_bool_true by reflexivity.
apply inner; intros; now apply terms; right.
Qed.

(* ------ Enclosures ------ *)

(* For so many roundings: (1 + u)^k is at most 1 + spread, and (1 + u)^-k at least 1 - spread, as floats. *)
Definition units k := nearest (nearest (nearest (INR k) + INR 2) * u).
Definition spread k := nearest (nearest (units k / nearest (1 - units k)) * nearest (1 + nearest (8 * u))).

Definition upper_end value k lost :=
  let above := if Req_bool lost 0 then value else next_up (nearest (value + lost)) in
  next_up (nearest (above * nearest (1 + spread k))).

Definition lower_end value k lost :=
  let below := next_down (nearest (value * nearest (1 - spread k))) in
  Rmax (if Req_bool lost 0 then below else next_down (nearest (below - lost))) 0.

Lemma few_units k : units k < / 2 -> INR (k + 2) < 4503599627370496.
Proof.
intros few; rewrite plus_INR; change (INR 2) with 2; apply Rnot_le_lt; intros many; apply (Rlt_not_le _ _ few).
assert (half : nearest (/ 2) = / 2).
{ apply nearest_float; replace (/ 2) with (1 * bpow radix2 (-1)) by (simpl; lra); now apply float_multiple. }
rewrite <- half; apply nearest_le; apply Rle_trans with (4503599627370496 * u); [rewrite u_value; lra|].
apply scale_le; [apply Rlt_le, u_positive|].
rewrite <- (nearest_float (x := 4503599627370496)) by now apply (float_integer (n := 4503599627370496)).
apply nearest_le; change (INR 2) with 2.
assert (le : 4503599627370494 <= nearest (INR k)).
{ rewrite <- (nearest_float (x := 4503599627370494)) by now apply (float_integer (n := 4503599627370494)).
  apply nearest_le; lra. }
lra.
Qed.

Lemma spread_reaches k : units k < / 2 ->
  (1 + u) ^ k <= nearest (1 + spread k) /\ nearest (1 - spread k) * (1 + u) ^ k <= 1.
Proof.
intros few; pose proof (few_units few) as small; pose proof u_positive as u0.
assert (k0 : 0 <= INR k) by apply pos_INR.
assert (is : units k = INR (k + 2) * u) by (apply nearest_units; lra).
assert (rest : nearest (1 - units k) = 1 - units k).
{ apply nearest_float; rewrite is.
  replace (1 - INR (k + 2) * u) with (IZR (2 ^ 53 - Z.of_nat (k + 2)) * bpow radix2 (-53)).
  - apply float_multiple; [|lia]; rewrite INR_integer in small; apply lt_IZR in small; lia.
  - rewrite minus_IZR, <- INR_integer; change (bpow radix2 (-53)) with u.
    change (IZR (2 ^ 53)) with 9007199254740992; rewrite u_value; field. }
assert (factor : nearest (1 + nearest (8 * u)) = 1 + 8 * u).
{ rewrite (nearest_float (x := 8 * u)) by now apply (float_multiple (n := 8)).
  apply nearest_float; replace (1 + 8 * u) with (9007199254741000 * u) by (rewrite u_value; field).
  replace 9007199254741000 with (1125899906842625 * 8) by lra.
  replace (1125899906842625 * 8 * u) with (1125899906842625 * bpow radix2 (-50)); [now apply float_multiple|].
  change (bpow radix2 (-50)) with (/ 1125899906842624); rewrite u_value; lra. }
set (s := units k) in *; assert (s0 : 2 * u <= s < / 2) by (rewrite is, plus_INR; change (INR 2) with 2; rewrite is, plus_INR in few; change (INR 2) with 2 in few; nra).
assert (q0 : s <= s / (1 - s)).
{ apply Rmult_le_reg_r with (1 - s); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra. }
assert (normal : bpow radix2 (-1022) <= 2 * u).
{ change 2 with (bpow radix2 1); unfold u; rewrite <- bpow_plus; apply bpow_le; lia. }
assert (quotient : within 1 0 (s / (1 - s)) (nearest (s / (1 - s)))).
{ apply a_normal_operation_counts_one_rounding; [right|apply within_self]; lra. }
assert (low : s / (1 - s) <= spread k).
{ unfold spread; fold s; rewrite rest, factor.
  assert (half : u <= nearest (s / (1 - s))).
  { rewrite <- (nearest_float (x := u)) by (rewrite <- (Rmult_1_l u); now apply float_multiple).
    apply nearest_le; lra. }
  assert (product : within 1 0 (nearest (s / (1 - s)) * (1 + 8 * u)) (nearest (nearest (s / (1 - s)) * (1 + 8 * u)))).
  { assert (bpow radix2 (-1022) <= u) by (unfold u; apply bpow_le; lia).
    apply a_normal_operation_counts_one_rounding; [right|apply within_self]; nra. }
  destruct quotient as (_ & _ & _ & up & _); destruct product as (_ & _ & _ & up' & _); rewrite Rplus_0_r, pow_1 in up, up'.
  apply Rmult_le_reg_r with ((1 + u) * (1 + u)); [nra|].
  apply Rle_trans with (s / (1 - s) * (1 + 8 * u)); [apply Rmult_le_compat_l; [lra|rewrite u_value; lra]|].
  apply Rle_trans with (nearest (s / (1 - s)) * (1 + u) * (1 + 8 * u)); [apply scale_le; lra|].
  apply Rle_trans with (nearest (s / (1 - s)) * (1 + 8 * u) * (1 + u)); [right; ring|].
  rewrite <- Rmult_assoc; apply scale_le; lra. }
split.
- assert (sum : within 1 0 (1 + spread k) (nearest (1 + spread k))).
  { apply a_sum_counts_one_rounding; [now apply (float_integer (n := 1))|apply float_nearest|apply within_self; lra]. }
  destruct sum as (_ & _ & _ & up & _); rewrite Rplus_0_r, pow_1 in up.
  apply Rmult_le_reg_r with (1 + u); [lra|]; apply Rle_trans with (2 := up).
  apply Rle_trans with (1 + s / (1 - s)); [|lra].
  replace (1 + s / (1 - s)) with (/ (1 - s)) by (field; lra).
  apply Rmult_le_reg_r with (1 - s); [lra|]; rewrite Rinv_l by lra.
  pose proof (growth_times_loss (S k) (Rlt_le _ _ u0)) as le; rewrite S_INR in le; simpl in le.
  assert (g : 0 <= (1 + u) ^ k * (1 + u)) by (apply Rmult_le_pos; [apply pow_le|]; lra).
  apply Rle_trans with (2 := le); rewrite is, plus_INR; change (INR 2) with 2; rewrite (Rmult_comm (1 + u)).
  apply Rmult_le_compat_l; nra.
- assert (high : nearest (1 - spread k) <= 1 - s) by (rewrite <- rest; apply nearest_le; lra).
  apply Rle_trans with ((1 - s) * (1 + u) ^ k); [apply scale_le; [pose proof (growth_ge1 k); lra|assumption]|].
  pose proof (growth_times_loss k (Rlt_le _ _ u0)) as le; pose proof (growth_ge1 k) as g.
  apply Rle_trans with (2 := le); rewrite is, plus_INR; change (INR 2) with 2; rewrite Rmult_comm.
  apply Rmult_le_compat_l; nra.
Qed.

(* The ends contain every number of which the value is a computed one; beyond 2^52 roundings the code answers from 0 to infinity. *)
Theorem enclosures_contain_what_was_computed value k lost x :
  units k < / 2 -> within k lost x value -> lower_end value k lost <= x <= upper_end value k lost.
Proof.
intros few (l0 & x0 & v0 & above & below); destruct (spread_reaches few) as [up down].
pose proof (growth_ge1 k) as g; split.
- unfold lower_end; apply Rmax_lub; [|assumption].
  assert (floor : next_down (nearest (value * nearest (1 - spread k))) <= x + lost).
  { apply Rle_trans with (1 := one_float_down_is_below_the_exact_result _).
    destruct (Rle_or_lt (nearest (1 - spread k)) 0) as [negative|positive]; [nra|].
    apply Rmult_le_reg_r with ((1 + u) ^ k); [lra|]; apply Rle_trans with (2 := below); nra. }
  case (Req_bool_spec lost 0); [intros ->; lra|intros _].
  apply Rle_trans with (1 := one_float_down_is_below_the_exact_result _); lra.
- unfold upper_end; apply Rle_trans with (2 := one_float_up_is_above_the_exact_result _).
  apply Rle_trans with (1 := above); apply Rmult_le_compat; [lra|lra| |assumption].
  case (Req_bool_spec lost 0); [intros ->; lra|intros _]; apply one_float_up_is_above_the_exact_result.
Qed.

Theorem what_is_not_rounded_is_exact x y : within 0 0 x y -> x = y.
Proof. intros (_ & x0 & y0 & above & below); simpl in above, below; lra. Qed.

Theorem a_computed_zero_is_zero k x : within k 0 x 0 -> x = 0.
Proof. intros (_ & x0 & _ & above & _); rewrite Rplus_0_r, Rmult_0_l in above; lra. Qed.

(* ------ Relative errors ------ *)

(* The most that k roundings of one unit add to a sum, relatively; where the first line is not below 1e-3, as a float, the code answers infinity. *)
Definition counted_units k unit := nearest (nearest (nearest (INR k) + INR 2) * unit).
Definition accumulated k unit := nearest (counted_units k unit * nearest (101 / 100)).

Theorem accumulated_is_above_what_roundings_add k unit :
  bpow radix2 (-200) <= unit -> counted_units k unit < nearest (1 / 1000) -> (1 + unit) ^ k - 1 <= accumulated k unit.
Proof.
intros large few; pose proof u_positive as u0; pose proof u_small as us.
assert (unit0 : 0 < unit) by (apply Rlt_le_trans with (2 := large), bpow_gt_0).
assert (k0 : 0 <= INR k) by apply pos_INR.
assert (low : bpow radix2 (-1022) <= bpow radix2 (-300) /\ bpow radix2 (-300) <= unit * / 2 /\ bpow radix2 (-300) <= / 2).
{ repeat split; [apply bpow_le; lia| |].
  - apply Rle_trans with (bpow radix2 (-200) * / 2); [|lra].
    change (/ 2) with (bpow radix2 (-1)); rewrite <- bpow_plus; apply bpow_le; lia.
  - change (/ 2) with (bpow radix2 (-1)); apply bpow_le; lia. }
assert (count : within 1 0 (INR k) (nearest (INR k))).
{ destruct k as [|k]; [simpl; rewrite (nearest_float float_0); apply (within_weaken (k := 0) (e := 0)); [lia|lra|apply within_self; lra]|].
  apply a_normal_operation_counts_one_rounding; [right|now apply within_self].
  rewrite S_INR; assert (0 <= INR k) by apply pos_INR; lra. }
assert (sum : within 2 0 (INR k + 2) (nearest (nearest (INR k) + INR 2))).
{ change (INR 2) with 2; apply a_sum_counts_one_rounding; [apply float_nearest|now apply (float_integer (n := 2))|].
  replace 0 with (0 + 0) by lra; apply sums_have_the_roundings_of_their_terms; [assumption|].
  apply (within_weaken (k := 0) (e := 0)); [lia|lra|apply within_self; lra]. }
set (s := nearest (nearest (INR k) + INR 2)) in *.
assert (s2 : 2 <= s).
{ unfold s; rewrite <- (nearest_float (x := 2)) at 1 by now apply (float_integer (n := 2)).
  apply nearest_le; change (INR 2) with 2; assert (0 <= nearest (INR k)) by (now apply nearest_ge0); lra. }
assert (product : within 3 0 ((INR k + 2) * unit) (counted_units k unit)).
{ unfold counted_units; fold s; apply a_normal_operation_counts_one_rounding; [right; nra|].
  replace 2%nat with (2 + 0)%nat by lia; apply (products_add_their_roundings (e := 0) (f := 0)); [lra|lra|assumption|].
  apply within_self; lra. }
assert (constant : within 1 0 (101 / 100) (nearest (101 / 100))).
{ apply a_normal_operation_counts_one_rounding; [right|apply within_self]; lra. }
assert (c1 : 1 <= nearest (101 / 100)).
{ rewrite <- (nearest_float (x := 1)) at 1 by (now apply (float_integer (n := 1))); apply nearest_le; lra. }
assert (p1 : unit <= counted_units k unit).
{ destruct product as (_ & _ & c0 & up & _); rewrite Rplus_0_r in up.
  assert ((1 + u) ^ 3 <= 2) by (apply Rle_trans with ((1 + / 1000000000000) ^ 3); [apply pow_incr; lra|lra]).
  assert (counted_units k unit * (1 + u) ^ 3 <= counted_units k unit * 2) by now apply Rmult_le_compat_l.
  assert (0 <= INR k * unit) by (apply Rmult_le_pos; lra); lra. }
assert (all : within 5 0 ((INR k + 2) * unit * (101 / 100)) (accumulated k unit)).
{ unfold accumulated; apply a_normal_operation_counts_one_rounding; [right; nra|].
  replace 4%nat with (3 + 1)%nat by lia; apply (products_add_their_roundings (e := 0) (f := 0)); [lra|lra|assumption|assumption]. }
destruct product as (_ & _ & _ & first & _); rewrite Rplus_0_r in first.
destruct all as (_ & _ & _ & reach & _); rewrite Rplus_0_r in reach.
assert (g3 : (1 + u) ^ 3 <= 1 + / 1000000) by (apply Rle_trans with ((1 + / 1000000000000) ^ 3); [apply pow_incr; lra|lra]).
assert (g5 : (1 + u) ^ 5 <= 1 + / 1000000) by (apply Rle_trans with ((1 + / 1000000000000) ^ 5); [apply pow_incr; lra|lra]).
assert (thousandth : nearest (1 / 1000) <= / 999).
{ assert (is : within 1 0 (1 / 1000) (nearest (1 / 1000))).
  { apply a_normal_operation_counts_one_rounding; [right|apply within_self]; [|lra].
    apply Rle_trans with (bpow radix2 (-300)); [apply low|].
    apply Rle_trans with (bpow radix2 (-10)); [apply bpow_le; lia|simpl; lra]. }
  destruct is as (_ & _ & _ & _ & le); rewrite Rplus_0_r, pow_1 in le; nra. }
set (t := INR k * unit); assert (t0 : 0 <= t) by (apply Rmult_le_pos; lra).
assert (small : t <= / 990).
{ assert (counted_units k unit * (1 + u) ^ 3 <= / 999 * (1 + / 1000000)) by (apply Rmult_le_compat; [lra|apply pow_le|lra|]; lra).
  unfold t; lra. }
assert (grow : (1 + unit) ^ k <= 1 + t * (1 + / 900)).
{ pose proof (growth_times_loss k (Rlt_le _ _ unit0)) as le; fold t in le.
  apply Rmult_le_reg_r with (1 - t); [lra|]; apply Rle_trans with (1 := le); nra. }
assert (t * (101 / 100) <= accumulated k unit * (1 + / 1000000)).
{ apply Rle_trans with ((INR k + 2) * unit * (101 / 100)); [unfold t; nra|].
  apply Rle_trans with (1 := reach); apply Rmult_le_compat_l; [|assumption].
  apply nearest_ge0; nra. }
nra.
Qed.

(* ------ Weights by degrees ------ *)

(* The weight of an edge is a quotient of floats: one rounding. *)
Theorem weights_of_edges_are_rounded_once larger :
  (0 < larger <= 2 ^ 53)%Z -> within 1 0 (1 / IZR larger) (nearest (1 / IZR larger)).
Proof.
intros [positive most]; apply IZR_lt in positive; apply IZR_le in most; change (IZR (2 ^ 53)) with 9007199254740992 in most.
assert (0 < 1 / IZR larger) by (apply Rdiv_lt_0_compat; lra).
apply a_normal_operation_counts_one_rounding; [right|apply within_self; lra].
apply Rle_trans with (bpow radix2 (-53)); [apply bpow_le; lia|].
change (bpow radix2 (-53)) with (/ 9007199254740992); unfold Rdiv; rewrite Rmult_1_l; apply Rinv_le; lra.
Qed.

(* What a neighbour of larger degree leaves to the node: differences and products of degrees below 2^26 are exact, so this is a quotient of floats. *)
Theorem terms_of_the_weight_of_a_node_are_rounded_once own other :
  (0 < own < other)%Z -> (other < 2 ^ 26)%Z ->
  within 1 0 (1 / IZR own - 1 / IZR other) (nearest (nearest (IZR other - IZR own) / nearest (IZR own * IZR other))).
Proof.
intros [own0 less] most.
assert (product : (0 < own * other <= 2 ^ 52)%Z) by nia.
rewrite <- minus_IZR, <- mult_IZR.
rewrite (nearest_float (x := IZR (other - own))), (nearest_float (x := IZR (own * other))) by (apply float_integer; lia).
apply IZR_lt in own0 as a0; apply IZR_lt in less as b0; rewrite mult_IZR, minus_IZR.
assert (is : 1 / IZR own - 1 / IZR other = (IZR other - IZR own) / (IZR own * IZR other)) by (field; lra).
rewrite is; assert (p0 : 0 < IZR own * IZR other) by (apply Rmult_lt_0_compat; lra).
assert (gap : 1 <= IZR other - IZR own) by (rewrite <- minus_IZR; apply IZR_le; lia).
assert (large : IZR own * IZR other <= 4503599627370496) by (rewrite <- mult_IZR; apply IZR_le; apply product).
assert (low : / 4503599627370496 <= (IZR other - IZR own) / (IZR own * IZR other)).
{ apply Rle_trans with (1 / (IZR own * IZR other)).
  - unfold Rdiv; rewrite Rmult_1_l; now apply Rinv_le.
  - apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|assumption]. }
apply a_normal_operation_counts_one_rounding; [right|apply within_self; lra].
apply Rle_trans with (2 := low); change (/ 4503599627370496) with (bpow radix2 (-52)); apply bpow_le; lia.
Qed.

(* The weight of a node itself: terms are summed in groups of 32, and then the groups. The list has the terms, of one rounding each, exact and computed. *)
Fixpoint grouped place (terms : list R) diagonal group :=
  match terms with
  | nil => nearest (diagonal + group)
  | term :: terms =>
    let group := nearest (group + term) in
    if Nat.eqb (Nat.modulo (S place) 32) 0 then grouped (S place) terms (nearest (diagonal + group)) 0
    else grouped (S place) terms diagonal group
  end.

Definition degree_roundings degree := (Nat.min degree 32 + Nat.div degree 32 + 1 + 1)%nat.

Theorem the_weight_of_a_node_is_within_its_roundings rest computed (terms : list (R * R)) :
  float computed -> within 1 0 rest computed ->
  (forall x y, In (x, y) terms -> float y /\ within 1 0 x y) ->
  within (degree_roundings (length terms)) 0 (fold_left (fun sum term => sum + fst term) terms rest)
    (grouped 0 (map snd terms) computed 0).
Proof.
pose (held place := (if Nat.ltb place 32 then 1 else 33 + Nat.div place 32)%nat).
assert (step : forall terms place whole diagonal part group,
  (forall x y, In (x, y) terms -> float y /\ within 1 0 x y) ->
  float diagonal -> within (held place) 0 whole diagonal ->
  float group -> within (1 + Nat.modulo place 32) 0 part group ->
  within (degree_roundings (place + length terms)) 0 (fold_left (fun sum term => sum + fst term) terms (whole + part))
    (grouped place (map snd terms) diagonal group)).
{ induction terms0 as [|[x y] terms0 inner]; intros place whole diagonal part group are fd wd fg wg.
  - simpl; rewrite Nat.add_0_r.
    assert (div : (place = 32 * (place / 32) + place mod 32)%nat) by (apply Nat.div_mod; lia).
    assert (mod32 : (place mod 32 < 32)%nat) by (apply Nat.mod_upper_bound; lia).
    pose (most := (degree_roundings place - 1)%nat).
    assert (count : degree_roundings place = S most) by (unfold most, degree_roundings; lia).
    assert (fits : (held place <= most /\ 1 + place mod 32 <= most)%nat).
    { unfold held, most, degree_roundings; case (Nat.ltb_spec place 32); intros.
      - rewrite (Nat.div_small place 32), (Nat.mod_small place 32) by assumption; lia.
      - assert (1 <= place / 32)%nat by (apply Nat.div_le_lower_bound; lia); lia. }
    rewrite count; apply a_sum_counts_one_rounding; try assumption; replace 0 with (0 + 0) by lra.
    apply sums_have_the_roundings_of_their_terms; [apply (within_weaken (k := held place) (e := 0))|apply (within_weaken (k := (1 + place mod 32)%nat) (e := 0))];
    try assumption; try lra; apply fits.
  - cbn [map fold_left fst snd grouped length].
    destruct (are x y (or_introl eq_refl)) as [fy wy].
    assert (next : within (S (1 + place mod 32)) 0 (part + x) (nearest (group + y))).
    { apply a_sum_counts_one_rounding; try assumption; replace 0 with (0 + 0) by lra.
      apply sums_have_the_roundings_of_their_terms; [assumption|apply (within_weaken (k := 1) (e := 0)); [lia|lra|assumption]]. }
    assert (mod32 : (place mod 32 < 32)%nat) by (apply Nat.mod_upper_bound; lia).
    assert (div : (place = 32 * (place / 32) + place mod 32)%nat) by (apply Nat.div_mod; lia).
    replace (place + S (length terms0))%nat with (S place + length terms0)%nat by lia.
    case (Nat.eqb_spec (S place mod 32) 0); intros full.
    + replace (whole + part + x) with (whole + (part + x) + 0) by ring.
      assert (last : (place mod 32 = 31)%nat).
      { destruct (Nat.eq_dec (place mod 32) 31) as [|other]; [assumption|].
        assert (S place mod 32 = S (place mod 32))%nat; [|lia].
        rewrite div at 1; replace (S (32 * (place / 32) + place mod 32)) with (S (place mod 32) + (place / 32) * 32)%nat by lia.
        rewrite Nat.mod_add by lia; apply Nat.mod_small; lia. }
      assert (quotient : (S place / 32 = S (place / 32))%nat).
      { replace (S place) with (0 + S (place / 32) * 32)%nat by lia; now rewrite Nat.div_add by lia. }
      apply inner; [intros; now apply are; right|apply float_nearest| |apply float_0|].
      * replace (held (S place)) with (S (32 + S (place / 32))).
        -- apply a_sum_counts_one_rounding; [assumption|apply float_nearest|]; replace 0 with (0 + 0) by lra.
           apply sums_have_the_roundings_of_their_terms.
           ++ apply (within_weaken (k := held place) (e := 0)); [|lra|assumption].
              unfold held; case (Nat.ltb_spec place 32); lia.
           ++ apply (within_weaken (k := S (1 + place mod 32)) (e := 0)); [lia|lra|assumption].
        -- unfold held; rewrite quotient; case (Nat.ltb_spec (S place) 32); lia.
      * apply (within_weaken (k := 0) (e := 0)); [lia|lra|apply within_self; lra].
    + replace (whole + part + x) with (whole + (part + x)) by ring.
      assert (more : (S place mod 32 = S (place mod 32))%nat).
      { destruct (Nat.eq_dec (place mod 32) 31) as [last|other].
        - exfalso; apply full; replace (S place) with (0 + S (place / 32) * 32)%nat by lia.
          now rewrite Nat.mod_add by lia.
        - rewrite div at 1; replace (S (32 * (place / 32) + place mod 32)) with (S (place mod 32) + (place / 32) * 32)%nat by lia.
          rewrite Nat.mod_add by lia; apply Nat.mod_small; lia. }
      apply inner; [intros; now apply are; right|assumption| |apply float_nearest|].
      * apply (within_weaken (k := held place) (e := 0)); [|lra|assumption].
        unfold held; assert (place / 32 <= S place / 32)%nat by (apply Nat.div_le_mono; lia).
        case (Nat.ltb_spec place 32); case (Nat.ltb_spec (S place) 32); lia.
      * rewrite more; assumption. }
intros fc wc are; rewrite <- (Rplus_0_r rest); change (length terms) with (0 + length terms)%nat.
apply step; [assumption|assumption|exact wc|apply float_0|].
apply (within_weaken (k := 0) (e := 0)); [lia|lra|apply within_self; lra].
Qed.

(* ------ Signed sums ------ *)

(* y is a computed value of x, a sum of terms of any sign whose sizes sum to s, with at most k roundings on any path and losses of at most e. *)
Definition off k s e x y := 0 <= e /\ Rabs x <= s /\ Rabs (y - x) <= (1 + u) ^ k * (s + e) - s.

Lemma off_self x : off 0 (Rabs x) 0 x x.
Proof. unfold off; rewrite Rminus_diag_eq, Rabs_R0 by reflexivity; simpl; lra. Qed.

Lemma off_weaken k l s e f x y : (k <= l)%nat -> e <= f -> off k s e x y -> off l s f x y.
Proof.
intros kl ef (e0 & size & near); assert (0 <= s) by (apply Rle_trans with (2 := size), Rabs_pos).
assert (grow : (1 + u) ^ k <= (1 + u) ^ l) by (apply Rle_pow; [pose proof u_positive; lra|assumption]).
pose proof (growth_ge1 k); repeat split; [lra|assumption|].
apply Rle_trans with (1 := near); apply Rplus_le_compat_r, Rmult_le_compat; lra.
Qed.

Lemma off_opp k s e x y : off k s e x y -> off k s e (- x) (- y).
Proof. intros (e0 & size & near); unfold off; rewrite Rabs_Ropp; replace (- y - - x) with (- (y - x)) by ring; now rewrite Rabs_Ropp. Qed.

Theorem signed_sums_have_the_roundings_of_their_terms k s e x y s' e' a b :
  off k s e x y -> off k s' e' a b -> off k (s + s') (e + e') (x + a) (y + b).
Proof.
intros (e0 & size & near) (f0 & size' & near'); repeat split; [lra| |].
- apply Rle_trans with (1 := Rabs_triang _ _); lra.
- replace (y + b - (x + a)) with ((y - x) + (b - a)) by ring; apply Rle_trans with (1 := Rabs_triang _ _); lra.
Qed.

Theorem signed_products_add_their_roundings k l s e x y s' e' loss a b : (s + e) * (s' + e') <= s * s' + loss ->
  off k s e x y -> off l s' e' a b -> off (k + l) (s * s') loss (x * a) (y * b).
Proof.
intros most (e0 & size & near) (f0 & size' & near').
assert (0 <= s) by (apply Rle_trans with (2 := size), Rabs_pos); assert (0 <= s') by (apply Rle_trans with (2 := size'), Rabs_pos).
assert (g : 1 <= (1 + u) ^ k * (1 + u) ^ l) by (pose proof (growth_ge1 k); pose proof (growth_ge1 l); nra).
unfold off; rewrite pow_add; repeat split; [nra|rewrite Rabs_mult; apply Rmult_le_compat; auto using Rabs_pos|].
assert (large : Rabs b <= (1 + u) ^ l * (s' + e')).
{ replace b with (a + (b - a)) by ring; apply Rle_trans with (1 := Rabs_triang _ _); lra. }
replace (y * b - x * a) with ((y - x) * b + x * (b - a)) by ring.
apply Rle_trans with (1 := Rabs_triang _ _); rewrite !Rabs_mult.
apply Rle_trans with (((1 + u) ^ k * (s + e) - s) * ((1 + u) ^ l * (s' + e')) + s * ((1 + u) ^ l * (s' + e') - s')).
- apply Rplus_le_compat; apply Rmult_le_compat; auto using Rabs_pos.
- apply Rle_trans with ((1 + u) ^ k * (1 + u) ^ l * ((s + e) * (s' + e')) - s * s'); [right; ring|].
  apply Rplus_le_compat_r, Rmult_le_compat_l; lra.
Qed.

Lemma off_step k s e d x y z : 0 <= d -> Rabs (z - y) <= u * Rabs y + d -> off k s e x y -> off (S k) s (e + d) x z.
Proof.
intros d0 rounded (e0 & size & near); pose proof u_positive as u0; pose proof (growth_ge1 k) as g; repeat split; [lra|assumption|].
assert (large : Rabs y <= (1 + u) ^ k * (s + e)).
{ replace y with (x + (y - x)) by ring; apply Rle_trans with (1 := Rabs_triang _ _); lra. }
replace (z - x) with ((z - y) + (y - x)) by ring; apply Rle_trans with (1 := Rabs_triang _ _); simpl.
assert (u * Rabs y <= u * ((1 + u) ^ k * (s + e))) by (apply Rmult_le_compat_l; lra).
assert (1 * d <= (1 + u) * (1 + u) ^ k * d) by (apply scale_le; [assumption|nra]).
replace ((1 + u) * (1 + u) ^ k * (s + (e + d))) with
  ((1 + u) ^ k * (s + e) + u * ((1 + u) ^ k * (s + e)) + (1 + u) * (1 + u) ^ k * d) by ring; lra.
Qed.

Lemma relative_error_of_any x eps eta : Rabs eps <= u / (1 + u) -> Rabs eta <= tiny ->
  Rabs (x * (1 + eps) + eta - x) <= u * Rabs x + tiny.
Proof.
intros small lost; pose proof u_positive as u0; replace (x * (1 + eps) + eta - x) with (eps * x + eta) by ring.
apply Rle_trans with (1 := Rabs_triang _ _), Rplus_le_compat; [|assumption]; rewrite Rabs_mult.
apply scale_le; [apply Rabs_pos|]; apply Rle_trans with (1 := small).
apply Rmult_le_reg_r with (1 + u); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra.
Qed.

Theorem a_signed_operation_counts_one_rounding_and_one_loss k s e x y : off k s e x y -> off (S k) s (e + tiny) x (nearest y).
Proof.
apply off_step; [apply Rlt_le, tiny_positive|].
destruct (relative_error_N_FLT'_ex radix2 (-1074) 53 eq_refl (fun n => negb (Z.even n)) y) as (eps & eta & small & lost & _ & rounded).
change (nearest y = y * (1 + eps) + eta) in rounded; rewrite rounded; rewrite u_ro_is_u in small.
apply relative_error_of_any; [assumption|]; apply Rle_trans with (1 := lost); right.
change (-1074)%Z with (1 + -1075)%Z; rewrite bpow_plus; change (bpow radix2 1) with 2; unfold tiny; field.
Qed.

Theorem a_signed_sum_counts_one_rounding k s e x a b : float a -> float b -> off k s e x (a + b) -> off (S k) s e x (nearest (a + b)).
Proof.
intros fa fb is; rewrite <- (Rplus_0_r e); apply (off_step (y := a + b)); [lra| |assumption].
destruct (FLT_plus_error_N_ex radix2 (-1074) 53 (fun n => negb (Z.even n)) a b fa fb) as (eps & small & rounded).
change (nearest (a + b) = (a + b) * (1 + eps)) in rounded; rewrite rounded; rewrite u_ro_is_u in small; pose proof u_positive as u0.
replace ((a + b) * (1 + eps) - (a + b)) with (eps * (a + b)) by ring; rewrite Rabs_mult, Rplus_0_r.
apply scale_le; [apply Rabs_pos|]; apply Rle_trans with (1 := small).
apply Rmult_le_reg_r with (1 + u); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra.
Qed.

Lemma off_within k e x y : within k e x y -> off k x e x y.
Proof.
intros (e0 & x0 & y0 & above & below); unfold off; rewrite (Rabs_pos_eq x) by assumption; repeat split; [assumption|lra|].
pose proof (growth_ge1 k) as g; apply Rabs_le; split; [|lra].
set (growth := (1 + u) ^ k) in *.
assert (0 <= (growth - 1) * e) by (apply Rmult_le_pos; lra).
destruct (Rle_or_lt x y) as [le|less]; [assert (0 <= (growth - 1) * x) by (apply Rmult_le_pos; lra); lra|].
assert ((growth - 1) * y <= (growth - 1) * x) by (apply Rmult_le_compat_l; lra); lra.
Qed.

(* The residual of a row of diag(s^2) + L at a trial y: what enters, less s^2 y, less the sum of kappa^2 times the differences to the neighbours, and the sizes of these. A neighbour is its kappa^2, exact and computed, and the trial there. *)
Definition neighbour := (R * R * R)%type.
Definition exact_square (n : neighbour) := fst (fst n).
Definition square (n : neighbour) := snd (fst n).
Definition trial (n : neighbour) := snd n.
Definition flow y := fold_left (fun sum n => nearest (sum + nearest (square n * nearest (y - trial n)))).
Definition flow_size y := fold_left (fun sum n => nearest (sum + nearest (square n * nearest (Rabs y + Rabs (trial n))))).
Definition exact_flow y := fold_left (fun sum n => sum + exact_square n * (y - trial n)).
Definition exact_size y := fold_left (fun sum n => sum + exact_square n * (Rabs y + Rabs (trial n))).
Definition residual a v y row := nearest (nearest (a - nearest (v * y)) - flow y row 0).
Definition residual_size a v y row := nearest (nearest (a + nearest (v * Rabs y)) + flow_size y row 0).
Definition exact_residual a s2 y row := a - s2 * y - exact_flow y row 0.
Definition neighbours_are_known (row : list neighbour) :=
  forall n, In n row -> float (trial n) /\ within 7 0 (exact_square n) (square n).

Lemma float_opp x : float x -> float (- x). Proof. apply generic_format_opp. Qed.
Lemma float_abs x : float x -> float (Rabs x). Proof. apply generic_format_abs. Qed.

Lemma off_product k l s x y s' a b :
  off k s 0 x y -> off l s' 0 a b -> off (S (k + l)) (s * s') tiny (x * a) (nearest (y * b)).
Proof.
intros one other; rewrite <- (Rplus_0_l tiny); apply a_signed_operation_counts_one_rounding_and_one_loss.
apply (signed_products_add_their_roundings (e := 0) (e' := 0)); [lra|assumption|assumption].
Qed.

Lemma within_product k l x y a b :
  within k 0 x y -> within l 0 a b -> within (S (k + l)) tiny (x * a) (nearest (y * b)).
Proof.
intros one other; rewrite <- (Rplus_0_l tiny); apply an_operation_counts_one_rounding_and_one_loss.
apply (products_add_their_roundings (e := 0) (f := 0)); [lra|lra|assumption|assumption].
Qed.

Lemma flows_count_one_rounding_a_neighbour y row : float y -> neighbours_are_known row ->
  off (length row + 9) (exact_size y row 0) (INR (length row) * tiny) (exact_flow y row 0) (flow y row 0) /\
  within (length row + 9) (INR (length row) * tiny) (exact_size y row 0) (flow_size y row 0) /\
  float (flow y row 0) /\ float (flow_size y row 0).
Proof.
intros fy known; pose proof tiny_positive as t0.
assert (step : forall row m s e x z size, neighbours_are_known row -> float z -> float size ->
  off (m + 9) s e x z -> within (m + 9) e s size ->
  off (m + length row + 9) (exact_size y row s) (e + INR (length row) * tiny) (exact_flow y row x) (flow y row z) /\
  within (m + length row + 9) (e + INR (length row) * tiny) (exact_size y row s) (flow_size y row size) /\
  float (flow y row z) /\ float (flow_size y row size)).
{ clear row known; induction row as [|n row inner]; intros m s e x z size known fz fsize near around.
  - simpl; rewrite Nat.add_0_r, Rmult_0_l, Rplus_0_r; auto.
  - destruct (known n (or_introl eq_refl)) as [fb kappa].
    assert (difference : off 1 (Rabs y + Rabs (trial n)) 0 (y - trial n) (nearest (y - trial n))).
    { apply a_signed_sum_counts_one_rounding; [assumption|now apply float_opp|].
      rewrite <- (Rplus_0_r 0); apply signed_sums_have_the_roundings_of_their_terms; [apply off_self|].
      rewrite <- (Rabs_Ropp (trial n)); apply off_self. }
    assert (both : within 1 0 (Rabs y + Rabs (trial n)) (nearest (Rabs y + Rabs (trial n)))).
    { apply a_sum_counts_one_rounding; [now apply float_abs|now apply float_abs|apply within_self].
      apply Rplus_le_le_0_compat; apply Rabs_pos. }
    cbn [length]; rewrite S_INR; replace (m + S (length row))%nat with (S m + length row)%nat by lia.
    replace (e + (INR (length row) + 1) * tiny) with (e + tiny + INR (length row) * tiny) by ring.
    unfold exact_size, exact_flow, flow, flow_size; cbn [fold_left].
    apply inner; try apply float_nearest; [intros other there; apply known; now right| |].
    + change (S m + 9)%nat with (S (m + 9)); apply a_signed_sum_counts_one_rounding; [assumption|apply float_nearest|].
      apply signed_sums_have_the_roundings_of_their_terms; [assumption|].
      apply (off_weaken (k := 9) (e := tiny)); [lia|lra|].
      apply (off_product (k := 7) (l := 1)); [now apply off_within|assumption].
    + change (S m + 9)%nat with (S (m + 9)); apply a_sum_counts_one_rounding; [assumption|apply float_nearest|].
      apply sums_have_the_roundings_of_their_terms; [assumption|].
      apply (within_weaken (k := 9) (e := tiny)); [lia|lra|].
      now apply (within_product (k := 7) (l := 1)). }
rewrite <- (Rplus_0_l (INR (length row) * tiny)); apply (step row 0%nat); auto using float_0.
- apply (off_weaken (k := 0) (e := 0)); [lia|lra|]; pose proof (off_self 0) as zero; now rewrite Rabs_R0 in zero.
- apply (within_weaken (k := 0) (e := 0)); [lia|lra|apply within_self; lra].
Qed.

(* What is not known of the residual is a multiple of its size, with seven roundings in the squares and one for each neighbour. *)
Theorem the_residual_is_known_up_to_its_size a s2 v y row :
  0 <= a -> float a -> float y -> within 7 0 s2 v -> neighbours_are_known row ->
  let growth := (1 + u) ^ (length row + 10) in
  Rabs (exact_residual a s2 y row) <= Rabs (residual a v y row) +
    (growth ^ 2 - growth) * residual_size a v y row + growth ^ 2 * (INR (length row + 1) * tiny).
Proof.
intros a0 fa fy noise known growth; pose proof tiny_positive as t0.
destruct (flows_count_one_rounding_a_neighbour fy known) as (near & around & fflow & fsize).
set (loss := INR (length row + 1) * tiny).
assert (split_loss : loss = tiny + INR (length row) * tiny) by (unfold loss; rewrite plus_INR; simpl; ring).
pose (size := a + s2 * Rabs y + exact_size y row 0); assert (y0 := Rabs_pos y).
assert (residual_is : off (length row + 10) size loss (exact_residual a s2 y row) (residual a v y row)).
{ replace (length row + 10)%nat with (S (length row + 9)) by lia; rewrite split_loss; unfold residual, exact_residual, size.
  apply a_signed_sum_counts_one_rounding; [apply float_nearest|now apply float_opp|].
  apply signed_sums_have_the_roundings_of_their_terms; [|now apply off_opp].
  apply (off_weaken (k := 9) (e := tiny)); [lia|lra|].
  apply a_signed_sum_counts_one_rounding; [assumption|apply float_opp, float_nearest|].
  rewrite <- (Rplus_0_l tiny); apply signed_sums_have_the_roundings_of_their_terms.
  - rewrite <- (Rabs_pos_eq a) at 1 by assumption; apply (off_weaken (k := 0) (e := 0)); [lia|lra|apply off_self].
  - apply off_opp, (off_product (k := 7) (l := 0)); [now apply off_within|apply off_self]. }
assert (size_is : within (length row + 10) loss size (residual_size a v y row)).
{ replace (length row + 10)%nat with (S (length row + 9)) by lia; rewrite split_loss; unfold residual_size, size.
  apply a_sum_counts_one_rounding; [apply float_nearest|assumption|].
  apply sums_have_the_roundings_of_their_terms; [|assumption].
  apply (within_weaken (k := 9) (e := tiny)); [lia|lra|].
  apply a_sum_counts_one_rounding; [assumption|apply float_nearest|].
  rewrite <- (Rplus_0_l tiny); apply sums_have_the_roundings_of_their_terms.
  - apply (within_weaken (k := 0) (e := 0)); [lia|lra|now apply within_self].
  - apply (within_product (k := 7) (l := 0)); [assumption|now apply within_self]. }
destruct residual_is as (_ & _ & off_by); destruct size_is as (loss0 & _ & _ & most & _); fold growth in off_by, most.
assert (g : 1 <= growth) by apply growth_ge1.
set (r := residual a v y row) in *; set (x := exact_residual a s2 y row) in *; set (s := residual_size a v y row) in *.
assert (split : Rabs x <= Rabs r + Rabs (r - x)).
{ replace x with (r - (r - x)) at 1 by ring; unfold Rminus at 1; apply Rle_trans with (1 := Rabs_triang _ _); rewrite Rabs_Ropp; lra. }
assert (step : (growth - 1) * size <= (growth - 1) * ((s + loss) * growth)) by (apply Rmult_le_compat_l; lra).
simpl; rewrite !Rmult_1_r; nra.
Qed.

(* The factor of residual_up and its bound: n + 16 units, and n + 16 of the smallest floats for underflow. *)
Definition residual_spread n := nearest (nearest (nearest (INR n + INR 16) * u) * nearest (101 / 100)).
Definition residual_up a v y row :=
  nearest (nearest (Rabs (residual a v y row) + nearest (residual_spread (length row) * residual_size a v y row)) +
    nearest (nearest (INR (length row) + INR 16) * (2 * tiny))).

(* The computed bound of a residual is not below it, but for its own three roundings. *)
Theorem residual_up_is_above_the_residual a s2 v y row :
  INR (length row + 16) <= 67108864 -> 0 <= a -> float a -> float y -> within 7 0 s2 v -> neighbours_are_known row ->
  Rabs (exact_residual a s2 y row) <= (1 + u) ^ 3 * residual_up a v y row.
Proof.
intros few a0 fa fy noise known.
apply Rle_trans with (1 := the_residual_is_known_up_to_its_size a0 fa fy noise known).
set (growth := (1 + u) ^ (length row + 10)); unfold residual_up; set (r := residual a v y row); set (s := residual_size a v y row).
destruct (flows_count_one_rounding_a_neighbour fy known) as (_ & (_ & _ & flow0 & _ & _) & _ & _).
assert (s0 : 0 <= s).
{ apply nearest_ge0, Rplus_le_le_0_compat; [|assumption]; apply nearest_ge0, Rplus_le_le_0_compat; [assumption|].
  apply nearest_ge0, Rmult_le_pos; [apply noise|apply Rabs_pos]. }
pose proof u_positive as u0; pose proof tiny_positive as t0; set (n := INR (length row + 11)).
assert (n16 : INR (length row) + INR 16 = n + 5) by (unfold n; rewrite !plus_INR; simpl; ring).
assert (n1 : INR (length row + 1) = n - 10) by (unfold n; rewrite !plus_INR; simpl; ring).
assert (n11 : 11 <= n) by (unfold n; rewrite plus_INR; pose proof (pos_INR (length row)); simpl; lra).
rewrite plus_INR, n16 in few.
assert (grow : 1 <= growth <= 1 + n * u).
{ split; [apply growth_ge1|].
  assert (ten : INR (length row + 10) = n - 1) by (unfold n; rewrite !plus_INR; simpl; ring).
  apply Rle_trans with (1 + (INR (length row + 10) + 1) * u); [apply growth_of_few; lra|right; rewrite ten; ring]. }
assert (nu : n * u <= / 100000000) by (rewrite u_value; lra).
assert (exact16 : nearest (INR (length row) + INR 16) = n + 5).
{ rewrite <- plus_INR, nearest_float; [now rewrite plus_INR|]; apply float_count; rewrite plus_INR; lra. }
assert (gamma : growth ^ 2 - growth <= residual_spread (length row)).
{ unfold residual_spread; rewrite exact16.
  rewrite (nearest_float (x := (n + 5) * u)) by (rewrite <- n16, <- plus_INR; apply float_units; rewrite plus_INR; lra).
  assert (low : bpow radix2 (-1022) <= u) by (unfold u; apply bpow_le; lia).
  assert (constant : within 1 0 (101 / 100) (nearest (101 / 100))).
  { apply a_normal_operation_counts_one_rounding; [right|apply within_self]; rewrite u_value in low; lra. }
  assert (c1 : 1 <= nearest (101 / 100)).
  { rewrite <- (nearest_float (x := 1)) at 1 by (now apply (float_integer (n := 1))); apply nearest_le; lra. }
  assert (all : within 2 0 ((n + 5) * u * (101 / 100)) (nearest ((n + 5) * u * nearest (101 / 100)))).
  { apply a_normal_operation_counts_one_rounding.
    - right; apply Rle_trans with (1 := low); assert (u <= (n + 5) * u) by nra.
      rewrite <- (Rmult_1_r u) at 1; apply Rmult_le_compat; lra.
    - change 1%nat with (0 + 1)%nat; apply (products_add_their_roundings (e := 0) (f := 0)); [lra|lra|apply within_self; nra|assumption]. }
  destruct all as (_ & _ & gamma0 & reach & _); rewrite Rplus_0_r in reach.
  set (gamma := nearest ((n + 5) * u * nearest (101 / 100))) in *.
  assert (g2 : (1 + u) ^ 2 <= 1 + / 1000000) by (simpl; rewrite u_value; lra).
  assert (gamma * (1 + u) ^ 2 <= gamma * (1 + / 1000000)) by now apply Rmult_le_compat_l.
  assert (growth * (growth - 1) <= (1 + n * u) * (n * u)) by (apply Rmult_le_compat; lra).
  assert ((1 + n * u) * (n * u) <= (1 + / 100000000) * (n * u)) by (apply scale_le; nra).
  assert (n * u <= (n + 5) * u) by nra; simpl; lra. }
assert (g2 : growth ^ 2 <= 1 + / 10).
{ simpl; rewrite Rmult_1_r; apply Rle_trans with ((1 + / 100000000) * (1 + / 100000000)); [apply Rmult_le_compat; lra|lra]. }
assert (spread0 : 0 <= residual_spread (length row)).
{ apply Rle_trans with (2 := gamma); simpl; rewrite Rmult_1_r; nra. }
set (spread := residual_spread (length row)) in *.
rewrite exact16; assert (lost : float ((n + 5) * (2 * tiny))).
{ rewrite <- n16, <- plus_INR, INR_integer.
  replace (2 * tiny) with (bpow radix2 (-1074)).
  - apply float_multiple; [|lia]; apply le_IZR; rewrite abs_IZR, <- INR_integer, plus_INR, n16, Rabs_pos_eq by lra.
    change (IZR (2 ^ 53)) with 9007199254740992; lra.
  - change (-1074)%Z with (1 + -1075)%Z; rewrite bpow_plus; reflexivity. }
rewrite (nearest_float lost).
assert (product : within 1 tiny (spread * s) (nearest (spread * s))).
{ rewrite <- (Rplus_0_l tiny); apply an_operation_counts_one_rounding_and_one_loss, within_self; now apply Rmult_le_pos. }
assert (r0 := Rabs_pos r); assert (p0 : 0 <= nearest (spread * s)) by apply product.
assert (all : within 3 tiny (Rabs r + spread * s + (n + 5) * (2 * tiny))
  (nearest (nearest (Rabs r + nearest (spread * s)) + (n + 5) * (2 * tiny)))).
{ apply a_sum_counts_one_rounding; [apply float_nearest|assumption|].
  rewrite <- (Rplus_0_r tiny); apply sums_have_the_roundings_of_their_terms.
  - apply a_sum_counts_one_rounding; [apply float_abs, float_nearest|apply float_nearest|].
    rewrite <- (Rplus_0_l tiny); apply sums_have_the_roundings_of_their_terms; [|assumption].
    apply (within_weaken (k := 0) (e := 0)); [lia|lra|now apply within_self].
  - apply (within_weaken (k := 0) (e := 0)); [lia|lra|apply within_self; nra]. }
destruct all as (_ & _ & _ & most & _).
set (computed := nearest (nearest (Rabs r + nearest (spread * s)) + (n + 5) * (2 * tiny))) in *.
assert (main : (growth ^ 2 - growth) * s <= spread * s) by now apply scale_le.
assert (under : growth ^ 2 * (INR (length row + 1) * tiny) <= (1 + / 10) * ((n - 10) * tiny)).
{ rewrite n1; apply scale_le; [nra|assumption]. }
assert (tail : tiny * (1 + u) ^ 3 <= 2 * tiny) by (simpl; rewrite u_value; nra).
assert ((1 + / 10) * ((n - 10) * tiny) + 2 * tiny <= (n + 5) * (2 * tiny)) by nra.
lra.
Qed.
