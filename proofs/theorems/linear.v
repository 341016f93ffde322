(* Certificates of linear systems on file: a checker that computes with fractions, and the proof that what it accepts is true. *)
From Coq Require Import ZArith QArith Qabs.
From mathcomp Require Import all_ssreflect all_algebra.
From Muffliato Require Import gossip leakage systems fractions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Observations of draws and of inputs, row by row; the standard deviation of each draw, and the draws that the observer knows. *)
Record system := System {
  of_draws : table;
  of_inputs : table;
  deviations : seq Q;
  known : seq nat }.

(* A claim about some inputs together. It is proved by a change of all draws for each of them, or by changes of the inputs and a
   coefficient for each observation. *)
Record claim_of_system := ClaimOfSystem {
  of_system : system;
  of_these : seq nat;
  is_upper : bool;
  number : Q;
  proved_by : table }.

Section Checker.

Variable S : system.

Definition observations := size (of_draws S).
Definition draws := size (deviations S).
Definition inputs := size (nth [::] (of_inputs S) 0).
Definition size_of (d : nat) : Q := nth zero (deviations S) d.
Definition is_known (d : nat) : bool := d \in known S.
Definition cannot_change (d : nat) : bool := is_known d || Qeq_bool (size_of d) zero.

Definition sensible_system : bool :=
  [&& (0 < observations)%N, (0 < inputs)%N, size (of_inputs S) == observations,
      all (fun row => size row == draws) (of_draws S), all (fun row => size row == inputs) (of_inputs S),
      all (Qle_bool zero) (deviations S) & all (fun d => d < draws)%N (known S)].

(* A change of draws with which every observation is the same, although the input has changed. *)
Definition is_alibi (x : seq Q) (input : nat) : bool :=
  [&& size x == draws, all (fun d => cannot_change d ==> Qeq_bool (nth zero x d) zero) (iota 0 draws) &
      all (fun row => Qeq_bool (sum (fun d => mul (entry (of_draws S) row d) (nth zero x d)) draws) (entry (of_inputs S) row input))
        (iota 0 observations)].

Definition product (x y : seq Q) : Q :=
  sum (fun d => mul (mul (nth zero x d) (nth zero y d)) (Qinv (mul (size_of d) (size_of d)))) draws.

Definition check_upper (us : seq nat) (alibis : table) (claim : Q) : bool :=
  let x i := nth [::] alibis i in
  [&& size alibis == size us, all (fun i => is_alibi (x i) (nth 0%N us i)) (iota 0 (size us)) &
      Qle_bool (sum (fun i => sum (fun j => Qabs (product (x i) (x j))) (size us)) (size us)) claim].

(* How often a draw, or an input, is in a statistic. *)
Definition times (M : table) (c : seq Q) (place : nat) : Q := sum (fun row => mul (nth zero c row) (entry M row place)) observations.

Definition signal (us : seq nat) (changes c : seq Q) : Q :=
  sum (fun i => mul (nth zero changes i) (times (of_inputs S) c (nth 0%N us i))) (size us).

Definition variance (c : seq Q) : Q :=
  sum (fun d => if is_known d then zero else
    mul (mul (size_of d) (size_of d)) (mul (times (of_draws S) c d) (times (of_draws S) c d))) draws.

Definition check_lower (us : seq nat) (changes c : seq Q) (claim : Q) : bool :=
  [&& size changes == size us, size c == observations, all (fun x => Qle_bool (Qabs x) one) changes &
      Qle_bool claim (mul (mul (signal us changes c) (signal us changes c)) (Qinv (variance c)))].

End Checker.

Definition check_system (c : claim_of_system) : bool :=
  let S := of_system c in
  [&& sensible_system S, of_these c != [::], sorted ltn (of_these c), all (fun u => u < inputs S)%N (of_these c) &
      if is_upper c then check_upper S (of_these c) (proved_by c) (number c)
      else if proved_by c is [:: changes; attack] then check_lower S (of_these c) changes attack (number c) else false].

Section Meaning.

Variables (R : realFieldType) (S : system).

Local Notation m := (observations S).
Local Notation k := (draws S).

(* What the observer sees, in draws: the observations, and the draws that it knows. *)
Definition seen : 'M[R]_(m + k, k) :=
  col_mx (\matrix_(row, d) meaning R (entry (of_draws S) row d)) (\matrix_(d, e) ((d == e) && is_known S d)%:R).

Definition sizes : 'rV[R]_k := \row_d meaning R (size_of S d).

(* What a change of inputs changes in it. *)
Definition seen_change (us : seq nat) (change : nat -> R) : 'cV[R]_(m + k) :=
  \sum_(i < size us) change i *: col_mx (\col_row meaning R (entry (of_inputs S) row (nth 0%N us i))) 0.

Definition says_of_system (us : seq nat) (upper : bool) (claim : Q) : Prop :=
  if upper then forall change : nat -> R, (forall i, `|change i| <= 1) -> loses_at_most seen sizes (seen_change us change) (meaning R claim)
  else exists2 change : nat -> R, (forall i, `|change i| <= 1) & loses_at_least seen sizes (seen_change us change) (meaning R claim).

Lemma inside n (i : 'I_n) : (i : nat) \in iota 0 n. Proof. by rewrite mem_iota /=. Qed.

Lemma upper_is_true us alibis claim : check_upper S us alibis claim -> says_of_system us true claim.
Proof.
case/and3P=> _ /allP are_alibis /(meaning_le R) le change small.
pose x (i : 'I_(size us)) : 'rV[R]_k := \row_d meaning R (nth zero (nth [::] alibis i) d).
have ok (i : 'I_(size us)) := are_alibis i (inside i).
have fixed i (d : 'I_k) : cannot_change S d -> x i 0 d = 0.
  by move=> fix_d; rewrite mxE; apply: meaning_zero; have /and3P[_ /allP/(_ _ (inside d)) ] := ok i; rewrite fix_d.
have -> : seen_change us change = seen *m (\sum_(i < size us) change i *: x i)^T.
  rewrite linear_sum mulmx_sumr; apply: eq_bigr => i _; rewrite linearZ /= -scalemxAr; congr (_ *: _).
  rewrite mul_col_mx; congr col_mx; apply/colP=> row; rewrite [RHS]mxE; last first.
    rewrite [LHS]mxE; apply/esym/big1 => d _; rewrite [X in X * _]mxE [X in _ * X]mxE.
    have [->|] := eqVneq row d; last by rewrite mul0r.
    by case kn : (is_known S d); rewrite ?mul0r // fixed ?mulr0 // /cannot_change kn.
  rewrite [LHS]mxE; have /and3P[_ _ /allP/(_ _ (inside row))/Qeq_bool_eq/(meaning_eq R) <-] := ok i.
  by rewrite meaning_sum; apply: eq_bigr => d _; rewrite !mxE meaning_mul.
apply: loses_at_most_trans (a_group_loses_at_most_its_alibis (x := x) _ _ _) _ => //.
  by move=> i d; rewrite mxE => s0; apply: fixed; rewrite /cannot_change (zero_meaning s0) orbT.
apply: le_trans le; rewrite meaning_sum; apply: ler_sum => i _; rewrite meaning_sum; apply: ler_sum => j _.
rewrite meaning_abs meaning_sum le_eqVlt; apply/orP; left; apply/eqP; congr (`| _ |); apply: eq_bigr => d _.
by rewrite !mxE !meaning_mul meaning_inv meaning_mul expr2.
Qed.

Lemma lower_is_true us changes c claim : check_lower S us changes c claim -> says_of_system us false claim.
Proof.
case/and4P=> _ _ small /(meaning_le R) le; exists (fun i => meaning R (nth zero changes i)) => [i|].
  case: (ltnP i (size changes)) => [ic|ci]; last by rewrite nth_default // meaning0 normr0 ler01.
  by rewrite -meaning_abs -(meaning1 R) meaning_le // (all_nthP zero small).
pose a : 'rV[R]_m := \row_row meaning R (nth zero c row).
pose on_draws d := meaning R (times S (of_draws S) c d).
pose b : 'rV[R]_(m + k) := row_mx a (\row_d (- (is_known S d)%:R * on_draws d)).
move=> zeta moved; apply: le_trans le (le_trans _ (a_statistic_is_lost_at_least b moved)).
have timesE M (place : nat) : (a *m \col_row meaning R (entry M row place)) 0 0 = meaning R (times S M c place).
  by rewrite mxE meaning_sum; apply: eq_bigr => row _; rewrite !mxE meaning_mul.
rewrite !meaning_mul meaning_inv -expr2 le_eqVlt; apply/orP; left; apply/eqP; congr (_ ^+ 2 / _).
  rewrite meaning_sum /seen_change mulmx_sumr summxE; apply: eq_bigr => i _.
  by rewrite -scalemxAr mul_row_col mulmx0 addr0 mxE timesE meaning_mul.
rewrite meaning_sum; apply: eq_bigr => d _; rewrite mul_row_col !mxE.
have -> : \sum_j a 0 j * (\matrix_(row, d) meaning R (entry (of_draws S) row d)) j d = on_draws d.
  by rewrite /on_draws -timesE mxE; apply: eq_bigr => row _; rewrite !mxE.
rewrite (bigD1 d) //= big1 ?addr0 => [|e /negPf ed]; last by rewrite !mxE ed mulr0.
rewrite !mxE eqxx /=; case: (is_known S d); first by rewrite meaning0 mulr1 mulN1r subrr expr0n mulr0.
by rewrite !mulr0 addr0 !meaning_mul !expr2.
Qed.

End Meaning.

(* What the checker of systems accepts is true: whatever the inputs change by, at most 1 each, they lose at most the claim; or for some
   such change at least the claim. *)
Theorem accepted_claims_of_systems_are_true R c : check_system c -> says_of_system R (of_system c) (of_these c) (is_upper c) (number c).
Proof.
case: c => S us upper claim by_these; rewrite /check_system /=; case/and5P=> _ _ _ _.
case: upper; first exact: upper_is_true.
by case: by_these => [|changes [|c []]] //; apply: lower_is_true.
Qed.
