(* Protocols on file (SPEC 15): what a certificate says of the graph, as data that compute, and the gossip matrices that
   they mean. *)
From Coq Require Import ZArith QArith Qabs.
From mathcomp Require Import all_ssreflect all_algebra.
From Muffliato Require Import gossip fractions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A number that goes with a time (or a row) and a node; several of them add up. *)
Notation entries := (seq (nat * nat * Q)).

Definition lookup (l : entries) (t w : nat) : Q :=
  foldr (fun x rest => if (x.1.1 == t) && (x.1.2 == w) then add x.2 rest else rest) zero l.

(* The weights of a network; custom weights are given entry by entry. *)
Inductive scheme := Metropolis | MaxDegreeInverse | Lazy of scheme | Custom of entries.

(* One step: a network with its weights, or two nodes that average. *)
Inductive step := Network of seq (nat * nat) & scheme | Average of nat & nat.

Definition active (x : step) : nat -> nat -> bool :=
  match x with Network edges _ => joins edges | Average u v => joins [:: (u, v)] end.

(* Inputs at every input_every-th step from the first (a round), with noise of a variance for each node (1 where there is none); fresh noise at
   the other steps (0 where there is none). Within a round mixing is accelerated by a factor (1: plain gossip). A user takes part in every
   period-th round. At an input each mask is a draw that its first end adds and its second end subtracts, and the state of a node is
   multiplied by its reaction (1 where there is none). *)
Record protocol := Protocol {
  nodes : nat;
  steps : seq step;
  input_every : nat;
  input_variances : seq Q;
  fresh_variances : seq Q;
  acceleration : Q;
  period : nat;
  masks : seq (nat * nat);
  mask_variances : seq Q;
  reaction : seq Q }.

(* The variance of a deviation; that of a negative one is negative, and refused. *)
Definition squared (s : Q) : Q := mul s (Qabs s).

Definition step_at p t := nth (Network [::] Metropolis) (steps p) t.
Definition is_input p t := (t %% input_every p == 0)%N.

(* The variance of a draw of time t: those of the nodes, then those of the masks. *)
Definition variance p t k : Q :=
  if (k < nodes p)%N then (if is_input p t then nth one (input_variances p) k else nth zero (fresh_variances p) k)
  else if is_input p t then nth zero (mask_variances p) (k - nodes p) else zero.

(* The first mixing of a round is plain; a later one takes g W of the states as sent and 1 - g of those before. *)
Definition gain p t : Q := if is_input p t then one else acceleration p.
Definition kept p t : Q := if is_input p t then zero else sub one (acceleration p).
Definition factor p t w : Q := if is_input p t then nth one (reaction p) w else one.

(* 1 at the first end of a mask, -1 at the second. *)
Definition mask_end p e w : Q :=
  let ends := nth (0, 0)%N (masks p) e in
  sub (if w == ends.1 then one else zero) (if w == ends.2 then one else zero).

(* Who observes, whether they know their own draws, and whether they learn sums in place of single messages. *)
Record view_of := ViewOf { members : seq nat; knows_own_noise : bool; learns_sums : bool }.

Definition speaks p v t w := (w \notin members v) && has (active (step_at p t) w) (members v).
Definition knows v w := knows_own_noise v && (w \in members v).

Definition table_of n (f : nat -> nat -> Q) : table := mkseq (fun i => mkseq (f i) n) n.
Definition apply n (M : table) (x : seq Q) : seq Q :=
  mkseq (fun i => sum (fun j => mul (entry M i j) (nth zero x j)) n) n.

Definition unit_entry (i j : nat) : Q := if i == j then one else zero.

Definition complete n (weight : nat -> nat -> Q) : table :=
  table_of n (fun i j => if i == j then sub one (sum (fun k => if k == i then zero else weight i k) n) else weight i j).

Definition half : Q := Qmake 1 2.

Fixpoint scheme_table n (edges : seq (nat * nat)) (x : scheme) : table :=
  let degrees := mkseq (fun i => count (joins edges i) (iota 0 n)) n in
  let larger i j := maxn (nth 0%N degrees i) (nth 0%N degrees j) in
  match x with
  | Metropolis => complete n (fun i j => if joins edges i j then inverse_of_nat (1 + larger i j) else zero)
  | MaxDegreeInverse => complete n (fun i j => if joins edges i j then inverse_of_nat (larger i j) else zero)
  | Lazy y => let M := scheme_table n edges y in table_of n (fun i j => mul half (add (unit_entry i j) (entry M i j)))
  | Custom weights => table_of n (lookup weights)
  end.

Definition step_table n (x : step) : table :=
  match x with
  | Network edges weights => scheme_table n edges weights
  | Average u v =>
      table_of n (fun i j => sub (unit_entry i j)
        (mul half (mul (sub (unit_entry i u) (unit_entry i v)) (sub (unit_entry j u) (unit_entry j v)))))
  end.

Definition tables p : seq table := [seq step_table (nodes p) x | x <- steps p].
Definition table_at p t := nth (step_table (nodes p) (Network [::] Metropolis)) (tables p) t.

Section Meaning.

Variable R : realFieldType.

(* The gossip matrices of gossip.v. *)
Fixpoint scheme_matrix n (edges : seq (nat * nat)) (x : scheme) : 'M[R]_n :=
  match x with
  | Metropolis => metropolis R (@graph_on n edges)
  | MaxDegreeInverse => max_degree_inverse R (@graph_on n edges)
  | Lazy y => lazy (scheme_matrix n edges y)
  | Custom weights => \matrix_(i, j) meaning R (lookup weights i j)
  end.

Definition step_matrix n (x : step) : 'M[R]_n :=
  match x with
  | Network edges weights => scheme_matrix n edges weights
  | Average u v => \matrix_(i, j) ((i == j)%:R -
      2%:R^-1 * (((i == u :> nat)%:R - (i == v :> nat)%:R) * ((j == u :> nat)%:R - (j == v :> nat)%:R)))
  end.

Definition matrix_at p t : 'M[R]_(nodes p) := step_matrix (nodes p) (step_at p t).

(* Standard deviations of the draws: any roots of their variances. *)
Definition deviations_of p (s : nat -> nat -> R) : Prop := forall t k, s t k ^+ 2 = meaning R (variance p t k).

(* Two nodes that average are edge_average. *)
Theorem average_is_edge_average n (u v : 'I_n) : step_matrix n (Average u v) = edge_average R u v.
Proof. by apply/matrixP=> i j; rewrite edge_average_entry mxE. Qed.

Definition table_matrix n (M : table) : 'M[R]_n := \matrix_(i, j) meaning R (entry M i j).
Definition column n (x : seq Q) : 'cV[R]_n := \col_i meaning R (nth zero x i).

Lemma entry_table_of n f (i j : 'I_n) : entry (table_of n f) i j = f i j.
Proof. by rewrite /entry /table_of !nth_mkseq. Qed.

Lemma column_apply n M x : column n (apply n M x) = table_matrix n M *m column n x.
Proof.
apply/colP=> i; rewrite !mxE nth_mkseq // meaning_sum; apply: eq_bigr => j _.
by rewrite meaning_mul !mxE.
Qed.

Lemma degree_counts n edges (i : 'I_n) :
  nth 0%N (mkseq (fun k => count (joins edges k) (iota 0 n)) n) i = degree (@graph_on n edges) i.
Proof.
rewrite nth_mkseq // -sum1_count /degree -sum1_card.
by rewrite -[X in iota _ X]subn0 -/(index_iota 0 n) big_mkord.
Qed.

Lemma meaning_unit i j : meaning R (unit_entry i j) = (i == j)%:R.
Proof. by rewrite /unit_entry; case: eqP; rewrite ?meaning0 ?meaning1. Qed.

Lemma meaning_half : meaning R half = 2%:R^-1.
Proof. by rewrite -[half]/(inverse_of_nat 2) meaning_inverse_of_nat. Qed.

Lemma table_matrix_complete n (weightQ : nat -> nat -> Q) (weight : 'I_n -> 'I_n -> R) :
  (forall i j : 'I_n, meaning R (weightQ i j) = weight i j) ->
  table_matrix n (complete n weightQ) = completed weight.
Proof.
move=> same; apply/matrixP=> i j; rewrite !mxE entry_table_of -val_eqE /=.
case: eqP => _; last exact: same.
rewrite meaning_sub meaning1 meaning_sum; congr (_ - _); rewrite [RHS]big_mkcond.
by apply: eq_bigr => k _; rewrite -val_eqE /=; case: eqP => _; rewrite ?meaning0 ?same.
Qed.

Lemma table_matrix_scheme n edges x : table_matrix n (scheme_table n edges x) = scheme_matrix n edges x.
Proof.
elim: x => [||x IH|weights] /=.
- apply: table_matrix_complete => i j; rewrite !degree_counts /graph_on.
  by case: (joins edges i j); rewrite ?meaning0 -?meaning_inverse_of_nat.
- apply: table_matrix_complete => i j; rewrite !degree_counts /graph_on.
  by case: (joins edges i j); rewrite ?meaning0 ?meaning_inverse_of_nat.
- apply/matrixP=> i j; rewrite -IH !mxE entry_table_of meaning_mul meaning_half meaning_add.
  by rewrite meaning_unit val_eqE.
- by apply/matrixP=> i j; rewrite !mxE entry_table_of.
Qed.

(* The tables of the checker mean the gossip matrices of the mathematics. *)
Theorem tables_are_the_matrices p t : table_matrix (nodes p) (table_at p t) = matrix_at p t.
Proof.
rewrite /table_at /matrix_at /step_at /tables; case: (ltnP t (size (steps p))) => [tT|Tt].
  rewrite (nth_map (Network [::] Metropolis)) //; case: (nth _ _ t) => [edges x|u v] /=.
    exact: table_matrix_scheme.
  apply/matrixP=> i j; rewrite !mxE entry_table_of meaning_sub !meaning_mul meaning_half.
  by rewrite !meaning_sub !meaning_unit val_eqE.
by rewrite !nth_default ?size_map // table_matrix_scheme.
Qed.

(* Custom weights are checked: on edges or the diagonal, not negative, symmetric, and 1 in each row. *)
Definition check_weights n (edges : seq (nat * nat)) (weights : entries) : bool :=
  let M := table_of n (lookup weights) in
  [&& all (fun i => all (fun j => [&& Qle_bool zero (entry M i j), Qeq_bool (entry M i j) (entry M j i) &
        [|| i == j, joins edges i j | Qeq_bool (entry M i j) zero]]) (iota 0 n)) (iota 0 n) &
      all (fun i => Qeq_bool (sum (entry M i) n) one) (iota 0 n)].

(* Custom weights that the checker accepts are a gossip matrix of the graph. *)
Theorem checked_weights_are_a_gossip_matrix n edges weights :
  check_weights n edges weights -> gossip_matrix (@graph_on n edges) (scheme_matrix n edges (Custom weights)).
Proof.
case/andP=> /allP entries_ok /allP rows_ok.
have inside (i : 'I_n) : (i : nat) \in iota 0 n by rewrite mem_iota /=.
have ok (i j : 'I_n) := allP (entries_ok i (inside i)) j (inside j).
have mean (i j : 'I_n) : meaning R (lookup weights i j) = meaning R (entry (table_of n (lookup weights)) i j) by rewrite entry_table_of.
split.
- split=> [i j|i].
    by rewrite mxE mean -(meaning0 R) meaning_le //; case/and3P: (ok i j).
  have /Qeq_bool_eq/(meaning_eq R) := rows_ok i (inside i); rewrite meaning_sum meaning1 => <-.
  by apply: eq_bigr => j _; rewrite mxE mean.
- by apply/matrixP=> i j; rewrite !mxE !mean; apply/esym/meaning_eq/Qeq_bool_eq; case/and3P: (ok i j).
- move=> i j apart off; rewrite mxE mean; case/and3P: (ok i j) => _ _.
  case/or3P=> [same|on|/(meaning_zero R)//]; first by rewrite -val_eqE same in apart.
  by rewrite /graph_on on in off.
Qed.

End Meaning.
