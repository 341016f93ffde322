(* Numbers of two floats, high + low (fast/src/arithmetic/pair.rs), and the unit of 32 u^2 that their operations stay within, whatever the low parts
   are: Joldes, Muller and Popescu (2017) have smaller constants. Sums here are of numbers of the same sign: nothing cancels. *)
From Coq Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core Relative Plus_error Sterbenz.
From Muffliato Require Import floats kernels.

Set Implicit Arguments.
Unset Strict Implicit.
Set Bullet Behavior "Strict Subproofs".
Unset Lia Cache.
Unset Nra Cache.

Local Open Scope R_scope.

Local Instance precision_is_positive : Prec_gt_0 53 := eq_refl.

(* A number: a float and at most a half of its last place. *)
Record number := Number { high : R; low : R }.
Definition is_pair x := float (high x) /\ float (low x) /\ Rabs (low x) <= u * Rabs (high x).
Definition value x := high x + low x.
Definition unit_of_pairs := 32 * (u * u).
Definition within_the_unit exact x := is_pair x /\ Rabs (value x - exact) <= unit_of_pairs * Rabs exact.

Definition plus x y :=
  let (sum, lost) := two_sum (high x) (high y) in
  let (tail, tail_lost) := two_sum (low x) (low y) in
  let (once, rest) := fast_two_sum sum (nearest (lost + tail)) in
  let (above, below) := fast_two_sum once (nearest (tail_lost + rest)) in Number above below.

Definition times x y :=
  let (product, lost) := two_product (high x) (high y) in
  let cross := nearest (nearest (high x * low y) + nearest (low x * high y)) in
  let (above, below) := fast_two_sum product (nearest (lost + cross)) in Number above below.

Definition scaled x factor :=
  let (product, lost) := two_product (high x) factor in
  let (once, rest) := fast_two_sum product (nearest (low x * factor)) in
  let (above, below) := fast_two_sum once (nearest (rest + lost)) in Number above below.

Definition over x y :=
  let quotient := nearest (high x / high y) in
  let back := scaled y quotient in
  let rest := nearest (nearest (high x - high back) + nearest (low x - low back)) in
  let (above, below) := fast_two_sum quotient (nearest (rest / high y)) in Number above below.

(* ------ One rounding ------ *)

Lemma rounded_sum a b : float a -> float b ->
  Rabs (nearest (a + b) - (a + b)) <= u * Rabs (a + b) /\ Rabs (nearest (a + b) - (a + b)) <= u * Rabs (nearest (a + b)).
Proof.
intros fa fb; pose proof u_positive as u0.
destruct (FLT_plus_error_N_ex radix2 (-1074) 53 (fun n => negb (Z.even n)) a b fa fb) as (eps & small & rounded).
rewrite u_ro_is_u in small; change (nearest (a + b) = (a + b) * (1 + eps)) in rounded; rewrite rounded.
replace ((a + b) * (1 + eps) - (a + b)) with (eps * (a + b)) by ring; rewrite !Rabs_mult.
assert (less : u / (1 + u) <= u).
{ apply Rmult_le_reg_r with (1 + u); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra. }
assert (rest : u / (1 + u) <= u * (1 - u / (1 + u))) by (right; field; lra).
assert (one : 1 - u / (1 + u) <= Rabs (1 + eps)).
{ apply Rle_trans with (2 := Rle_abs _); apply Rabs_le_inv in small; lra. }
pose proof (Rabs_pos (a + b)) as s0; split; [apply Rmult_le_compat_r; lra|].
replace (u * (Rabs (a + b) * Rabs (1 + eps))) with (u * Rabs (1 + eps) * Rabs (a + b)) by ring.
apply Rmult_le_compat_r; [assumption|]; apply Rle_trans with (1 := small), Rle_trans with (1 := rest); apply Rmult_le_compat_l; lra.
Qed.

Lemma rounded_any x : Rabs (nearest x - x) <= u * Rabs x + tiny.
Proof.
destruct (relative_error_N_FLT'_ex radix2 (-1074) 53 eq_refl (fun n => negb (Z.even n)) x) as (eps & eta & small & lost & _ & rounded).
change (nearest x = x * (1 + eps) + eta) in rounded; rewrite rounded; rewrite u_ro_is_u in small.
apply relative_error_of_any; [assumption|]; apply Rle_trans with (1 := lost); right.
change (-1074)%Z with (1 + -1075)%Z; rewrite bpow_plus; change (bpow radix2 1) with 2; unfold tiny; field.
Qed.

Lemma float_sub a b : float a -> float b -> Rabs (nearest (a - b) - (a - b)) <= u * Rabs (a - b).
Proof. intros fa fb; apply (rounded_sum fa (float_opp fb)). Qed.

(* The two halves of a sum are a pair, and exact. *)
Lemma halves_are_a_pair a b above below : float a -> float b -> Rabs b <= Rabs a -> fast_two_sum a b = (above, below) ->
  float above /\ float below /\ above + below = a + b /\ is_pair (Number above below) /\ Rabs below <= u * Rabs (a + b).
Proof.
intros fa fb larger is; pose proof (fast_two_sum_is_exact fa fb (or_intror larger)) as exact; rewrite is in exact; cbn [fst snd] in exact.
unfold fast_two_sum in is; injection is as first second; destruct (rounded_sum fa fb) as [of_exact of_rounded]; rewrite first in of_exact, of_rounded.
assert (float above) by (rewrite <- first; apply float_nearest); assert (float below) by (rewrite <- second; apply float_nearest).
assert (bound : Rabs below = Rabs (above - (a + b))) by (replace (above - (a + b)) with (- below) by lra; now rewrite Rabs_Ropp).
rewrite <- bound in of_exact, of_rounded; unfold is_pair; cbn [high low]; tauto.
Qed.

Lemma two_sum_parts a b sum lost : float a -> float b -> two_sum a b = (sum, lost) ->
  float sum /\ float lost /\ sum + lost = a + b /\ Rabs lost <= u * Rabs (a + b).
Proof.
intros fa fb is; pose proof (two_sum_is_exact fa fb) as exact; rewrite is in exact; cbn [fst snd] in exact.
unfold two_sum in is; injection is as first second; destruct (rounded_sum fa fb) as [off _]; rewrite first in off.
assert (float sum) by (rewrite <- first; apply float_nearest); assert (float lost) by (rewrite <- second; apply float_nearest).
assert (bound : Rabs lost = Rabs (sum - (a + b))) by (replace (sum - (a + b)) with (- lost) by lra; now rewrite Rabs_Ropp).
rewrite <- bound in off; tauto.
Qed.

(* What is far from underflow loses nothing that counts. *)
Definition far x := x = 0 \/ bpow radix2 (-900) <= Rabs x.

Lemma tiny_is_nothing p : bpow radix2 (-900) <= p -> tiny <= u * u * u * p.
Proof.
intros large; apply Rle_trans with (u * u * u * bpow radix2 (-900)).
- unfold tiny, u; rewrite <- !bpow_plus; apply bpow_le; lia.
- apply Rmult_le_compat_l; [|assumption]; pose proof u_positive; apply Rmult_le_pos; [apply Rmult_le_pos|]; lra.
Qed.

Lemma two_product_parts a b product lost : float a -> float b -> bpow radix2 (-900) <= Rabs (a * b) -> two_product a b = (product, lost) ->
  float product /\ float lost /\ product + lost = a * b /\ Rabs lost <= (u + u * u * u) * Rabs (a * b).
Proof.
intros fa fb large is; destruct (two_product_is_exact fa fb) as [exact _]; rewrite is in exact; cbn [fst snd] in exact.
assert (both : product + lost = a * b) by (apply exact; right; apply Rle_trans with (2 := large); apply bpow_le; lia).
unfold two_product in is; destruct (split a), (split b); injection is as first second.
assert (float product) by (rewrite <- first; apply float_nearest); assert (float lost) by (rewrite <- second; apply float_nearest).
assert (bound : Rabs lost = Rabs (nearest (a * b) - a * b)).
{ rewrite first; replace (product - a * b) with (- lost) by lra; now rewrite Rabs_Ropp. }
pose proof (rounded_any (a * b)); pose proof (tiny_is_nothing large); repeat (split; [assumption|]); lra.
Qed.

Ltac two_sided := repeat match goal with H : Rabs _ <= _ |- _ => apply Rabs_le_inv in H end.

(* Turns every bound into one in numbers and the size p. *)
Ltac in_numbers := unfold unit_of_pairs in *; rewrite ?u_value in *; two_sided; lra.

Lemma sum_off a b c : float a -> float b -> Rabs (a + b) <= c -> Rabs (nearest (a + b) - (a + b)) <= u * c.
Proof. intros fa fb small; apply Rle_trans with (1 := proj1 (rounded_sum fa fb)), Rmult_le_compat_l; [apply Rlt_le, u_positive|assumption]. Qed.

Lemma any_off x c : Rabs x <= c -> Rabs (nearest x - x) <= u * c + tiny.
Proof. intros small; apply Rle_trans with (1 := rounded_any x), Rplus_le_compat_r, Rmult_le_compat_l; [apply Rlt_le, u_positive|assumption]. Qed.

(* What a sum is without a part of it. *)
Lemma size_left a d : Rabs a <= Rabs (a + d) + Rabs d.
Proof. replace a with ((a + d) + - d) at 1 by ring; rewrite <- (Rabs_Ropp d); apply Rabs_triang. Qed.

Lemma low_bound l h f : Rabs l <= u * Rabs h -> Rabs (l * f) <= u * Rabs (h * f).
Proof. intros small; rewrite !Rabs_mult, <- Rmult_assoc; apply Rmult_le_compat_r; [apply Rabs_pos|assumption]. Qed.

(* A product. *)
Theorem products_of_pairs_are_within_their_unit x y : is_pair x -> is_pair y -> bpow radix2 (-900) <= Rabs (high x * high y) ->
  within_the_unit (value x * value y) (times x y).
Proof.
destruct x as [h l], y as [h' l']; intros (fh & fl & near) (fh' & fl' & near') large; unfold within_the_unit, value, times; cbn [high low] in *.
destruct (two_product h h') as [product lost] eqn:is; destruct (two_product_parts fh fh' large is) as (fp & fo & exact & small); clear is.
set (p := Rabs (h * h')) in *; pose proof (tiny_is_nothing large) as t; pose proof tiny_positive as t0.
assert (b1 : Rabs (h * l') <= u * p) by (unfold p; rewrite (Rmult_comm h), (Rmult_comm h); now apply low_bound).
assert (b2 : Rabs (l * h') <= u * p) by now apply low_bound.
assert (b3 : Rabs (l * l') <= u * (u * p)).
{ apply Rle_trans with (1 := low_bound l' near), Rmult_le_compat_l; [apply Rlt_le, u_positive|assumption]. }
pose proof (any_off b1) as e1; pose proof (any_off b2) as e2; set (c1 := nearest (h * l')) in *; set (c2 := nearest (l * h')) in *.
assert (s1 : Rabs (c1 + c2) <= 3 * u * p) by (apply Rabs_le; in_numbers).
pose proof (sum_off (a := c1) (b := c2) (float_nearest _) (float_nearest _) s1) as e3; set (cross := nearest (c1 + c2)) in *.
assert (s2 : Rabs (lost + cross) <= 5 * u * p) by (apply Rabs_le; in_numbers).
pose proof (sum_off (b := cross) fo (float_nearest _) s2) as e4; set (w := nearest (lost + cross)) in *.
assert (larger : Rabs w <= Rabs product).
{ assert (Rabs w <= 6 * u * p) by (apply Rabs_le; in_numbers).
  assert (is : Rabs (h * h') = p) by reflexivity; replace (h * h') with (product + lost) in is by lra.
  pose proof (size_left product lost); pose proof (size_left (product + lost) (- lost)) as left; replace (product + lost + - lost) with product in left by ring.
  rewrite Rabs_Ropp in left; rewrite u_value in *; lra. }
destruct (fast_two_sum product w) as [above below] eqn:is; destruct (halves_are_a_pair (b := w) fp (float_nearest _) larger is) as (_ & _ & sum & pair & _).
cbn [high low]; split; [assumption|]; rewrite sum.
pose proof (size_left (h * h') (h * l' + l * h' + l * l')) as left; replace (h * h' + (h * l' + l * h' + l * l')) with ((h + l) * (h' + l')) in left by ring.
assert (rest : Rabs (h * l' + l * h' + l * l') <= 3 * u * p) by (apply Rabs_le; in_numbers).
apply Rle_trans with (16 * (u * u) * p); [apply Rabs_le; in_numbers|].
fold p in left; unfold unit_of_pairs; pose proof (Rabs_pos (h * h')) as p0; fold p in p0; rewrite u_value in *; lra.
Qed.

(* A product with a float, within less: division needs it. *)
Lemma scaled_is_near x f : is_pair x -> float f -> bpow radix2 (-900) <= Rabs (high x * f) ->
  is_pair (scaled x f) /\ Rabs (value (scaled x f) - value x * f) <= 8 * (u * u) * Rabs (value x * f).
Proof.
destruct x as [h l]; intros (fh & fl & near) ff large; unfold value, scaled; cbn [high low] in *.
destruct (two_product h f) as [product lost] eqn:is; destruct (two_product_parts fh ff large is) as (fp & fo & exact & small); clear is.
pose proof (low_bound f near) as b1; set (p := Rabs (h * f)) in *; pose proof (tiny_is_nothing large) as t; pose proof tiny_positive as t0.
pose proof (any_off b1) as e1; set (c := nearest (l * f)) in *.
assert (is_p : Rabs (product + lost) = p) by (unfold p; now f_equal).
assert (least : p <= Rabs product + (u + u * u * u) * p) by (pose proof (size_left product lost); pose proof (Rabs_triang product lost); lra).
assert (larger : Rabs c <= Rabs product).
{ assert (Rabs c <= 2 * u * p) by (apply Rabs_le; in_numbers); rewrite u_value in *; lra. }
destruct (fast_two_sum product c) as [once rest] eqn:is; destruct (halves_are_a_pair (b := c) fp (float_nearest _) larger is) as (fon & fr & sum & _ & less).
assert (whole : Rabs (product + c) <= 2 * p).
{ replace (product + c) with (h * f + (c - lost)) by lra; apply Rle_trans with (1 := Rabs_triang _ _); fold p.
  assert (Rabs (c - lost) <= 4 * u * p) by (apply Rabs_le; in_numbers); rewrite u_value in *; lra. }
assert (r : Rabs rest <= 2 * u * p) by (rewrite u_value in *; lra).
assert (s2 : Rabs (rest + lost) <= 4 * u * p) by (apply Rabs_le; in_numbers).
pose proof (sum_off fr fo s2) as e2; set (w := nearest (rest + lost)) in *.
assert (larger' : Rabs w <= Rabs once).
{ assert (Rabs w <= 5 * u * p) by (apply Rabs_le; in_numbers); pose proof (Rabs_triang once rest) as a; rewrite sum in a.
  pose proof (size_left product c); assert (Rabs c <= 2 * u * p) by (apply Rabs_le; in_numbers); rewrite u_value in *; lra. }
destruct (fast_two_sum once w) as [above below] eqn:is'; destruct (halves_are_a_pair (b := w) fon (float_nearest _) larger' is') as (_ & _ & sum' & pair & _).
cbn [high low]; split; [assumption|]; rewrite sum'.
pose proof (size_left (h * f) (l * f)) as left; replace (h * f + l * f) with ((h + l) * f) in left by ring; fold p in left.
apply Rle_trans with (6 * (u * u) * p); [apply Rabs_le; in_numbers|rewrite u_value in *; lra].
Qed.

(* A product with a float. *)
Theorem multiples_of_pairs_are_within_their_unit x f : is_pair x -> float f -> bpow radix2 (-900) <= Rabs (high x * f) ->
  within_the_unit (value x * f) (scaled x f).
Proof.
intros px ff large; destruct (scaled_is_near px ff large) as [pair near]; split; [assumption|].
apply Rle_trans with (1 := near); unfold unit_of_pairs; pose proof (Rabs_pos (value x * f)); rewrite u_value; lra.
Qed.

Lemma same_signs h h' : 0 <= h * h' -> Rabs h + Rabs h' = Rabs (h + h').
Proof.
intros same; destruct (Rle_or_lt 0 h), (Rle_or_lt 0 h').
- now rewrite !Rabs_pos_eq by lra.
- assert (h = 0) as -> by nra; now rewrite Rabs_R0, !Rplus_0_l.
- assert (h' = 0) as -> by nra; now rewrite Rabs_R0, !Rplus_0_r.
- now rewrite !Rabs_left by lra; ring.
Qed.

(* A sum of two numbers of the same sign. *)
Theorem sums_of_pairs_of_one_sign_are_within_their_unit x y : is_pair x -> is_pair y -> 0 <= high x * high y ->
  within_the_unit (value x + value y) (plus x y).
Proof.
destruct x as [h l], y as [h' l']; intros (fh & fl & near) (fh' & fl' & near') same; unfold within_the_unit, value, plus; cbn [high low] in *.
pose proof (same_signs same) as signs; destruct (two_sum h h') as [sum lost] eqn:is; destruct (two_sum_parts fh fh' is) as (fs & fo & exact & small); clear is.
destruct (two_sum l l') as [tail tail_lost] eqn:is; destruct (two_sum_parts fl fl' is) as (ft & ftl & exact' & small'); clear is.
set (s := Rabs (h + h')) in *; assert (s0 : 0 <= s) by apply Rabs_pos.
assert (tails : Rabs (l + l') <= u * s) by (apply Rle_trans with (1 := Rabs_triang _ _); rewrite <- signs; lra).
assert (tl : Rabs tail_lost <= u * (u * s)) by (apply Rle_trans with (1 := small'), Rmult_le_compat_l; [apply Rlt_le, u_positive|assumption]).
assert (s1 : Rabs (lost + tail) <= 3 * u * s) by (apply Rabs_le; in_numbers).
pose proof (sum_off fo ft s1) as e1; set (c := nearest (lost + tail)) in *.
assert (cs : Rabs c <= 4 * u * s) by (apply Rabs_le; in_numbers).
assert (least : s <= Rabs sum + u * s) by (pose proof (Rabs_triang sum lost) as a; rewrite exact in a; fold s in a; lra).
assert (larger : Rabs c <= Rabs sum) by (rewrite u_value in *; lra).
destruct (fast_two_sum sum c) as [once rest] eqn:is; destruct (halves_are_a_pair (b := c) fs (float_nearest _) larger is) as (fon & fr & both & _ & less).
assert (whole : Rabs (sum + c) <= 2 * s).
{ replace (sum + c) with (h + h' + (c - lost)) by lra; apply Rle_trans with (1 := Rabs_triang _ _); fold s.
  assert (Rabs (c - lost) <= 6 * u * s) by (apply Rabs_le; in_numbers); rewrite u_value in *; lra. }
assert (r : Rabs rest <= 2 * u * s) by (rewrite u_value in *; lra).
assert (s2 : Rabs (tail_lost + rest) <= 3 * u * s) by (apply Rabs_le; in_numbers).
pose proof (sum_off ftl fr s2) as e2; set (w := nearest (tail_lost + rest)) in *.
assert (larger' : Rabs w <= Rabs once).
{ assert (Rabs w <= 4 * u * s) by (apply Rabs_le; in_numbers); pose proof (Rabs_triang once rest) as a; rewrite both in a.
  pose proof (size_left sum c); rewrite u_value in *; lra. }
destruct (fast_two_sum once w) as [above below] eqn:is'; destruct (halves_are_a_pair (b := w) fon (float_nearest _) larger' is') as (_ & _ & all & pair & _).
cbn [high low]; split; [assumption|]; rewrite all.
pose proof (size_left (h + h') (l + l')) as left; replace (h + h' + (l + l')) with (h + l + (h' + l')) in left by ring; fold s in left.
apply Rle_trans with (7 * (u * u) * s); [apply Rabs_le; in_numbers|unfold unit_of_pairs; rewrite u_value in *; lra].
Qed.

(* A quotient. *)
Theorem quotients_of_pairs_are_within_their_unit x y : is_pair x -> is_pair y ->
  bpow radix2 (-890) <= Rabs (high x) -> bpow radix2 (-890) <= Rabs (high x / high y) -> within_the_unit (value x / value y) (over x y).
Proof.
destruct x as [h l], y as [h' l']; intros (fh & fl & near) (fh' & fl' & near') large wide.
unfold over; set (q := nearest (high (Number h l) / high (Number h' l'))) in *; cbn [high low] in *.
assert (h'0 : h' <> 0).
{ intros ->; unfold Rdiv in wide; rewrite Rinv_0, Rmult_0_r, Rabs_R0 in wide; pose proof (bpow_gt_0 radix2 (-890)); lra. }
set (i := / h'); assert (ih : i * h' = 1) by (unfold i; field; assumption); unfold Rdiv in *; fold i in wide, q |- *.
set (a := Rabs h) in *; set (w := Rabs (h * i)) in *.
assert (a0 : 0 < a) by (pose proof (bpow_gt_0 radix2 (-890)); lra); assert (w0 : 0 < w) by (pose proof (bpow_gt_0 radix2 (-890)); lra).
assert (lower : bpow radix2 (-900) <= bpow radix2 (-890)) by (apply bpow_le; lia).
assert (t : tiny <= u * u * u * w) by (apply tiny_is_nothing; lra); pose proof tiny_positive as t0.
assert (by_i : forall z c, Rabs z <= c * a -> Rabs (z * i) <= c * w).
{ intros z c small; unfold w; rewrite !Rabs_mult, <- Rmult_assoc; apply Rmult_le_compat_r; [apply Rabs_pos|assumption]. }
assert (from_i : forall z c, Rabs (z * i) <= c * w -> Rabs z <= c * a).
{ intros z c small; replace z with (z * i * h') by (rewrite Rmult_assoc, ih; ring); rewrite Rabs_mult.
  replace a with (w * Rabs h') by (unfold w, a; rewrite <- Rabs_mult; f_equal; rewrite Rmult_assoc, ih; ring).
  rewrite <- Rmult_assoc; apply Rmult_le_compat_r; [apply Rabs_pos|assumption]. }
pose proof (rounded_any (h * i)) as eq; fold q w in eq.
assert (eq' : Rabs (q * h' - h) <= (u + u * u * u) * a).
{ apply from_i; replace ((q * h' - h) * i) with (q - h * i) by (replace ((q * h' - h) * i) with (q * (i * h') - h * i) by ring; rewrite ih; ring); lra. }
assert (most : Rabs (h' * q) <= (1 + 2 * u) * a /\ a <= Rabs (h' * q) + 2 * u * a).
{ pose proof (Rabs_triang (q * h' - h) h) as up; replace (q * h' - h + h) with (h' * q) in up by ring; fold a in up.
  pose proof (size_left h (q * h' - h)) as down; replace (h + (q * h' - h)) with (h' * q) in down by ring; fold a in down; rewrite u_value in *; lra. }
assert (big : bpow radix2 (-900) <= Rabs (h' * q)).
{ replace (bpow radix2 (-900)) with (/ 1024 * bpow radix2 (-890)) by (change (-900)%Z with (-10 + -890)%Z; rewrite bpow_plus; simpl; lra).
  rewrite u_value in *; lra. }
destruct (scaled_is_near (x := Number h' l') (conj fh' (conj fl' near')) (float_nearest _) big) as [pb nb]; fold q in pb, nb.
set (back := scaled (Number h' l') q) in *; destruct pb as (fb & fbl & nearb); unfold value in nb; cbn [high low] in nb.
pose proof (low_bound q near') as lq.
assert (yq : Rabs ((h' + l') * q) <= (1 + 4 * u) * a).
{ replace ((h' + l') * q) with (h' * q + l' * q) by ring; apply Rle_trans with (1 := Rabs_triang _ _); rewrite u_value in *; lra. }
assert (beta : Rabs (high back + low back - (h' + l') * q) <= 9 * (u * u) * a) by (rewrite u_value in *; lra).
assert (lq' : Rabs (l' * q) <= (u + 3 * (u * u)) * a) by (rewrite u_value in *; lra).
assert (sb : Rabs (high back) <= (1 + 8 * u) * a).
{ pose proof (size_left (high back) (low back)) as left.
  pose proof (Rabs_triang (high back + low back - (h' + l') * q) ((h' + l') * q)) as up.
  replace (high back + low back - (h' + l') * q + (h' + l') * q) with (high back + low back) in up by ring; rewrite u_value in *; lra. }
assert (bl : Rabs (low back) <= (u + 9 * (u * u)) * a) by (rewrite u_value in *; lra).
fold a in near; set (bh := high back) in *; set (bw := low back) in *.
assert (d1 : Rabs (h + - bh) <= (3 * u + 40 * (u * u)) * a) by (apply Rabs_le; clear yq; in_numbers).
assert (d2 : Rabs (l + - bw) <= (2 * u + 10 * (u * u)) * a) by (apply Rabs_le; in_numbers).
pose proof (sum_off fh (float_opp fb) d1) as e1; pose proof (sum_off fl (float_opp fbl) d2) as e2.
unfold Rminus at 1 2; set (r1 := nearest (h + - bh)) in *; set (r2 := nearest (l + - bw)) in *.
assert (s : Rabs (r1 + r2) <= (5 * u + 60 * (u * u)) * a) by (apply Rabs_le; in_numbers).
pose proof (sum_off (a := r1) (b := r2) (float_nearest _) (float_nearest _) s) as e3; set (r := nearest (r1 + r2)) in *.
assert (rs : Rabs r <= (5 * u + 80 * (u * u)) * a) by (apply Rabs_le; in_numbers).
set (exact := (h + l) * / (h' + l')).
assert (y0 : h' + l' <> 0).
{ intros zero; assert (l' = - h') by lra; subst l'; rewrite Rabs_Ropp in near'; pose proof (Rabs_pos_lt _ h'0); rewrite u_value in *; lra. }
assert (is_exact : exact * (h' + l') = h + l) by (unfold exact; field; assumption).
assert (g1 : Rabs (r - (exact - q) * (h' + l')) <= (19 * (u * u) + 200 * (u * u * u)) * a).
{ replace ((exact - q) * (h' + l')) with (h + l - (h' + l') * q) by (rewrite <- is_exact; ring); apply Rabs_le; clear yq; in_numbers. }
assert (g2 : Rabs ((exact - q) * (h' + l')) <= (3 * u + 10 * (u * u)) * a).
{ replace ((exact - q) * (h' + l')) with (h + l - (h' + l') * q) by (rewrite <- is_exact; ring); apply Rabs_le; clear yq; in_numbers. }
apply by_i in g1; apply by_i in g2; apply by_i in rs.
set (g := exact - q) in *; assert (li : Rabs (g * (l' * i)) <= u * Rabs g).
{ rewrite Rabs_mult, Rmult_comm; apply Rmult_le_compat_r; [apply Rabs_pos|].
  rewrite Rabs_mult; replace u with (u * Rabs h' * Rabs i) by (rewrite Rmult_assoc, <- Rabs_mult, (Rmult_comm h'), ih, Rabs_R1; ring).
  apply Rmult_le_compat_r; [apply Rabs_pos|assumption]. }
assert (split_g : g * (h' + l') * i = g + g * (l' * i)) by (replace (g * (h' + l') * i) with (g * (i * h') + g * (l' * i)) by ring; rewrite ih; ring).
rewrite split_g in g2; replace ((r - g * (h' + l')) * i) with (r * i - (g + g * (l' * i))) in g1 by (rewrite <- split_g; ring).
assert (gs : Rabs g <= (3 * u + 30 * (u * u)) * w) by (pose proof (size_left g (g * (l' * i))); rewrite u_value in *; lra).
assert (li' : Rabs (g * (l' * i)) <= (3 * (u * u) + 30 * (u * u * u)) * w) by (rewrite u_value in *; lra).
pose proof (any_off rs) as e4; set (d := nearest (r * i)) in *.
assert (larger : Rabs d <= Rabs q).
{ assert (Rabs d <= 6 * u * w) by (apply Rabs_le; in_numbers); pose proof (size_left (h * i) (q - h * i)) as down.
  replace (h * i + (q - h * i)) with q in down by ring; fold w in down; rewrite u_value in *; lra. }
destruct (fast_two_sum q d) as [above below] eqn:is; destruct (halves_are_a_pair (a := q) (b := d) (float_nearest _) (float_nearest _) larger is) as (_ & _ & both & pair & _).
unfold within_the_unit, value; cbn [high low]; fold exact; split; [assumption|]; rewrite both; replace (q + d - exact) with (d - g) by (unfold g; ring).
pose proof (size_left (h * i) (exact - h * i)) as down; replace (h * i + (exact - h * i)) with exact in down by ring; fold w in down.
assert (near_exact : Rabs (exact - h * i) <= 6 * u * w).
{ replace (exact - h * i) with (g + (q - h * i)) by (unfold g; ring); apply Rle_trans with (1 := Rabs_triang _ _); rewrite u_value in *; lra. }
apply Rle_trans with (29 * (u * u) * w); [apply Rabs_le; in_numbers|unfold unit_of_pairs; rewrite u_value in *; lra].
Qed.
