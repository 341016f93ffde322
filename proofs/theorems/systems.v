(* Linear systems (SPEC 16 to 18): exact losses from statistics, draws of any sizes, and the one dimension in which a round differs. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Muffliato Require Import gossip leakage.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Statistics.

Variables (R : realFieldType) (m k : nat) (A : 'M[R]_(m, k)).
Implicit Types (z : 'rV[R]_k) (c : 'rV[R]_m).

(* A statistic whose own coefficients are an alibi of the input determines the leakage: it is what the input adds to the statistic. *)
Theorem a_statistic_that_is_an_alibi_is_exact z c : alibi A z (c *m A) -> leakage A z = dot (c *m A) z.
Proof.
move=> same; have sees : dot (c *m A) z = energy (c *m A) by exact: attack_sees_alibi.
rewrite sees; apply/le_anti/andP; split; first by apply: leakage_is_at_most_alibi.
apply: le_trans (attack_is_at_most_leakage A z c); rewrite /strength sees.
have [->|e0] := eqVneq (energy (c *m A)) 0; first by rewrite expr2 !mul0r.
by rewrite expr2 mulfK.
Qed.

(* Every input has such a statistic. *)
Theorem some_statistic_is_an_alibi z : exists c, alibi A z (c *m A).
Proof.
have [c is_c] : exists c, z *m projector A = c *m A by apply/submxP; rewrite (submx_trans (submxMl _ _)) ?projector_below.
exists c; rewrite /alibi -is_c trmx_mul projector_symmetric mulmxA.
by congr (_ *m _); apply: projector_fixes.
Qed.

(* Several inputs, each with such a statistic: the leakage of any change d is the form of what the inputs add to the statistics. *)
Theorem statistics_of_a_group_are_exact (I : finType) (d : I -> R) (z : I -> 'rV[R]_k) (c : I -> 'rV[R]_m) :
  (forall i, alibi A (z i) (c i *m A)) ->
  leakage A (\sum_i d i *: z i) = \sum_i \sum_j d i * d j * dot (c i *m A) (z j).
Proof.
move=> same; have is_sum : (\sum_i d i *: c i) *m A = \sum_i d i *: (c i *m A).
  by rewrite mulmx_suml; apply: eq_bigr => i _; rewrite scalemxAl.
have := alibi_of_sum d same; rewrite -is_sum => /a_statistic_that_is_an_alibi_is_exact ->.
by rewrite is_sum dot_sum.
Qed.

End Statistics.

Section Variances.

Variables (R : realFieldType) (m k : nat) (A : 'M[R]_(m, k)) (s : 'rV[R]_k).
Implicit Types (z : 'rV[R]_k) (a : 'rV[R]_m).

(* What is seen, in standard draws: draw d has the standard deviation s_d, which may be 0. *)
Definition sized : 'M[R]_(m, k) := A *m diag_mx s.

(* The covariance of what is seen. *)
Definition covariance : 'M[R]_m := A *m diag_mx s *m diag_mx s *m A^T.

Lemma gram_sized : gram sized = covariance.
Proof. by rewrite /gram /sized trmx_mul tr_diag_mx !mulmxA. Qed.

(* With a variance for every draw the leakage of the signal a is a^T (A S A^T)^+ a: c a for every solution c of c (A S A^T) = a. *)
Theorem leakage_with_a_variance_for_every_draw z a c : sized *m z^T = a^T -> c *m covariance = a -> leakage sized z = dot c a.
Proof.
move=> signal solves; have is_alibi : alibi sized z (c *m sized).
  by rewrite /alibi signal -solves -gram_sized /gram !trmx_mul !trmxK !mulmxA.
by rewrite (a_statistic_that_is_an_alibi_is_exact is_alibi) /dot -mulmxA signal.
Qed.

(* There is a solution for every signal that draws can make. *)
Theorem every_signal_of_draws_has_a_solution z a : sized *m z^T = a^T -> exists c, c *m covariance = a.
Proof.
move=> signal; have [c same] := some_statistic_is_an_alibi sized z; exists c.
by apply: trmx_inj; rewrite -signal -same -gram_sized /gram !trmx_mul !trmxK !mulmxA.
Qed.

End Variances.

(* Losses of a signal a (what the inputs change in the view), with draws of any sizes. Draws that make the signal lose at most b; whatever
   draws make it, at least b. No draws make it where the loss is infinite. *)
Section Losses.

Variables (R : realFieldType) (m k : nat) (A : 'M[R]_(m, k)) (s : 'rV[R]_k).

Definition loses_at_most (a : 'cV[R]_m) (b : R) : Prop :=
  exists2 zeta : 'rV[R]_k, sized A s *m zeta^T = a & leakage (sized A s) zeta <= b.

Definition loses_at_least (a : 'cV[R]_m) (b : R) : Prop :=
  forall zeta : 'rV[R]_k, sized A s *m zeta^T = a -> b <= leakage (sized A s) zeta.

Lemma loses_at_most_trans a b b' : loses_at_most a b -> b <= b' -> loses_at_most a b'.
Proof. by case=> zeta moved le le'; exists zeta => //; apply: le_trans le le'. Qed.

(* Whatever is computed from a view loses no more. *)
Lemma what_is_computed_loses_no_more p (C : 'M[R]_(p, m)) a b zeta :
  sized A s *m zeta^T = a -> leakage (sized A s) zeta <= b ->
  sized (C *m A) s *m zeta^T = C *m a /\ leakage (sized (C *m A) s) zeta <= b.
Proof.
move=> moved le; have -> : sized (C *m A) s = C *m sized A s by rewrite /sized mulmxA.
by split; [rewrite -mulmxA moved | apply: le_trans (postprocessing_never_raises_leakage _ _ _) le].
Qed.

Section Alibis.

Variables (I : finType) (z x : I -> 'rV[R]_k).
Hypothesis explained : forall i, alibi A (z i) (x i).
Hypothesis drawn : forall i d, s 0 d = 0 -> x i 0 d = 0.

Let standard i : 'rV[R]_k := \row_d (x i 0 d / s 0 d).

Lemma standard_draws_move i : sized A s *m (standard i)^T = A *m (z i)^T.
Proof.
rewrite -(explained i) /sized -mulmxA; congr (_ *m _); apply/colP=> d; rewrite mul_diag_mx !mxE.
by have [s0|s0] := eqVneq (s 0 d) 0; [rewrite drawn // mul0r mulr0 | rewrite mulrC divfK].
Qed.

Lemma product_of_standard_draws i j : dot (standard i) (standard j) = \sum_d x i 0 d * x j 0 d / s 0 d ^+ 2.
Proof. by rewrite dotE; apply: eq_bigr => d _; rewrite !mxE mulf_div -expr2. Qed.

Lemma changes_are_moved (d : I -> R) : sized A s *m (\sum_i d i *: standard i)^T = A *m (\sum_i d i *: z i)^T.
Proof.
have -> : sized A s *m (\sum_i d i *: standard i)^T = A *m (\sum_i d i *: (standard i *m diag_mx s))^T.
  rewrite /sized -mulmxA -{1}[diag_mx s]trmxK tr_diag_mx -trmx_mul mulmx_suml.
  by congr (_ *m _^T); apply: eq_bigr => i _; rewrite scalemxAl.
apply: alibi_of_sum => i; rewrite /alibi trmx_mul tr_diag_mx mulmxA; exact: standard_draws_move.
Qed.

(* Changes of draws that explain several inputs: the loss of any change is at most the sum of all absolute inner products over the
   variances, ... *)
Theorem a_group_loses_at_most_its_alibis (d : I -> R) : (forall i, `|d i| <= 1) ->
  loses_at_most (A *m (\sum_i d i *: z i)^T) (\sum_i \sum_j `|\sum_e x i 0 e * x j 0 e / s 0 e ^+ 2|).
Proof.
move=> small; exists (\sum_i d i *: standard i); first exact: changes_are_moved.
apply: le_trans (group_is_at_most_its_alibis (zeta := standard) _ small) _ => //.
by apply: ler_sum => i _; apply: ler_sum => j _; rewrite product_of_standard_draws.
Qed.

(* ... and at most the sum of a dual vector. *)
Theorem a_group_loses_at_most_a_dual (d lambda : I -> R) : (forall i, `|d i| <= 1) -> (forall i, 0 <= lambda i) ->
  (forall y : I -> R, \sum_i \sum_j y i * y j * (\sum_e x i 0 e * x j 0 e / s 0 e ^+ 2) <= \sum_i lambda i * y i ^+ 2) ->
  loses_at_most (A *m (\sum_i d i *: z i)^T) (\sum_i lambda i).
Proof.
move=> small l0 dual; exists (\sum_i d i *: standard i); first exact: changes_are_moved.
apply: (group_is_at_most_a_dual (zeta := standard)) => // y; apply: le_trans (dual y).
by apply: ler_sum => i _; apply: ler_sum => j _; rewrite product_of_standard_draws.
Qed.

End Alibis.

(* A statistic c: the square of its signal over its variance is lost at least. *)
Theorem a_statistic_is_lost_at_least (c : 'rV[R]_m) (a : 'cV[R]_m) :
  loses_at_least a ((c *m a) 0 0 ^+ 2 / \sum_d s 0 d ^+ 2 * (c *m A) 0 d ^+ 2).
Proof.
move=> zeta moved; have := attack_is_at_most_leakage (sized A s) zeta c; rewrite /strength.
rewrite {1}/dot -mulmxA moved energyE; congr (_ / _ <= _); apply: eq_bigr => d _.
by rewrite /sized mulmxA mul_mx_diag mxE exprMn mulrC.
Qed.

End Losses.

Section OneDimension.

Variables (R : realFieldType) (n k : nat) (states : 'M[R]_(n, k)) (z : 'rV[R]_k) (c : 'rV[R]_n).

(* A statistic of the masked states whose coefficients are an alibi of the input, and the bound rho. *)
Hypothesis is_alibi : alibi states z (c *m states).
Let a : 'cV[R]_n := states *m z^T.
Let rho : R := leakage states z.
Hypothesis rho_is_not_0 : rho != 0.

(* What remains of the states without their part along the shift. *)
Definition rest : 'M[R]_(n, k) := states - rho^-1 *: (a *m (c *m states)).

(* The shift of the masked states is one-dimensional: the states are the statistic along the shift and a rest; the rest does not notice
   the input and is uncorrelated with the statistic, whose variance and shift are both rho. So a round is N(0, 1) against N(mu, 1) with
   mu^2 = rho, whatever the number of nodes. *)
Theorem the_shift_of_a_round_is_one_dimensional :
  [/\ states = rho^-1 *: (a *m (c *m states)) + rest, rest *m z^T = 0, rest *m (c *m states)^T = 0,
      dot (c *m states) z = rho & energy (c *m states) = rho].
Proof.
have shift : dot (c *m states) z = rho by rewrite /rho (a_statistic_that_is_an_alibi_is_exact is_alibi).
have variance : energy (c *m states) = rho by rewrite -shift (attack_sees_alibi c is_alibi).
have through (x : 'rV[R]_k) : dot (c *m states) x = rho -> rho^-1 *: (a *m (c *m states)) *m x^T = a.
  move=> is_rho; rewrite -scalemxAl -(mulmxA a) [(c *m states) *m x^T]mx11_scalar -/(dot _ _) is_rho mul_mx_scalar scalerA mulVf // scale1r //.
split=> //; rewrite /rest ?mulmxBl.
- by rewrite addrC subrK.
- by rewrite through // subrr.
- by rewrite through // is_alibi subrr.
Qed.

End OneDimension.
