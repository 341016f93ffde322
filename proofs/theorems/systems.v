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
