(* Runs of a protocol on file, linear in its draws, and what observers see of them: messages, their own draws, and the masks that they
   share. The draws of a time are those of the nodes, then those of the masks. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Muffliato Require Import gossip leakage refreshed fractions protocol.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Observed.

Variables (R : realFieldType) (T k : nat) (I : finType) (seen : pred I) (f : I -> 'M[R]_(T, k) -> R).
Hypothesis linear_in_the_draws : forall i, scalar (f i).

(* Numbers that are computed linearly from the draws, one in each row; 0 where they are not seen. *)
Definition observed : 'M[R]_(#|I|, T * k) :=
  \matrix_i (if seen (enum_val i) then coefficients (f (enum_val i)) else 0).

Lemma observedE i x : (observed *m (mxvec x)^T) i 0 = if seen (enum_val i) then f (enum_val i) x else 0.
Proof.
have -> : (observed *m (mxvec x)^T) i 0 = dot (row i observed) (mxvec x) by rewrite /dot -row_mul [RHS]mxE.
by rewrite rowK; case: ifP => _; [exact: coefficientsE | rewrite /dot mul0mx mxE].
Qed.

(* Draws that give the same numbers are an alibi. *)
Lemma same_numbers_are_an_alibi (input zeta : 'M[R]_(T, k)) :
  (forall i, seen i -> f i (input - zeta) = 0) -> alibi observed (mxvec input) (mxvec zeta).
Proof.
move=> same; apply/colP=> i; rewrite !observedE; case: ifP => // sees.
have := same _ sees; rewrite -scaleN1r addrC linear_in_the_draws mulN1r => /eqP.
by rewrite addrC subr_eq0 => /eqP.
Qed.

(* Every combination of the numbers is one of rows. *)
Lemma combinations_are_observed (J : Type) (l : seq J) (a : J -> R) (place : J -> I) :
  all (fun x => seen (place x)) l ->
  exists c : 'rV[R]_#|I|, c *m observed = coefficients (fun omega => \sum_(x <- l) a x * f (place x) omega).
Proof.
elim: l => [_|x l IH /= /andP[sees /IH[c is_c]]].
  exists 0; rewrite mul0mx /coefficients -[LHS](linear0 (@mxvec_linear _ _ _)) /=; congr mxvec.
  by apply/matrixP=> i j; rewrite !mxE big_nil.
exists (a x *: delta_mx 0 (enum_rank (place x)) + c); rewrite mulmxDl is_c -scalemxAl -rowE rowK enum_rankK sees.
by rewrite /coefficients -linearP /=; congr mxvec; apply/matrixP=> i j; rewrite !mxE big_cons.
Qed.

Lemma combinations_are_linear (J : Type) (l : seq J) (a : J -> R) (place : J -> I) :
  scalar (fun omega => \sum_(x <- l) a x * f (place x) omega).
Proof.
move=> c x y; rewrite mulr_sumr -big_split; apply: eq_bigr => j _ /=.
by rewrite linear_in_the_draws mulrDr mulrCA.
Qed.

End Observed.

(* Which messages are heard, by time and node, and which draws are known, by place. Messages are single, or sums of those of all but some. *)
Record sight := Sight { heard : nat -> nat -> bool; known : nat -> bool; summed : option (seq nat) }.

Section Runs.

Variables (R : realFieldType) (p : protocol).

Local Notation n := (nodes p).
Local Notation m := (size (masks p)).
Local Notation T := (size (steps p)).
Implicit Types (omega : 'M[R]_(T, n + m)).

(* What the draws of time t add to the states: noise, and the masks at inputs. *)
Definition injection omega (t : nat) : 'cV[R]_n :=
  if insub t is Some i then
    \col_w (omega i (lshift m w) + if is_input p t then \sum_(e < m) meaning R (mask_end p e w) * omega i (rshift n e) else 0)
  else 0.

(* The states of time t + 1 before its draws, from those that were sent at t and before. *)
Definition mixture (t : nat) (now before : 'cV[R]_n) : 'cV[R]_n :=
  \col_w (meaning R (factor p t.+1 w) *
    (meaning R (gain p t) * (matrix_at R p t *m now) w 0 + meaning R (kept p t) * before w 0)).

(* The states as sent at t, and those before. *)
Fixpoint states omega (t : nat) : 'cV[R]_n * 'cV[R]_n :=
  if t is r.+1 then
    let now := states omega r in (injection omega t + mixture r now.1 now.2, now.1)
  else (injection omega 0, 0).

Definition sent omega t : 'cV[R]_n := (states omega t).1.

Lemma injection_linear t a x y : injection (a *: x + y) t = a *: injection x t + injection y t.
Proof.
rewrite /injection; case: insubP => [i _ _|_]; last by rewrite scaler0 addr0.
apply/colP=> w; rewrite !mxE; case: ifP => _; last by rewrite !addr0.
have -> : \sum_(e < m) meaning R (mask_end p e w) * (a *: x + y) i (rshift n e) =
    a * (\sum_(e < m) meaning R (mask_end p e w) * x i (rshift n e)) + \sum_(e < m) meaning R (mask_end p e w) * y i (rshift n e).
  by rewrite big_distrr -big_split; apply: eq_bigr => e _; rewrite !mxE /= mulrDr mulrCA.
by rewrite mulrDr addrACA.
Qed.

Lemma mixture_linear t a x x' y y' : mixture t (a *: x + x') (a *: y + y') = a *: mixture t x y + mixture t x' y'.
Proof.
apply/colP=> w; rewrite [LHS]mxE mulmxDr -scalemxAr !mxE.
rewrite [meaning R (gain p t) * _]mulrDr [meaning R (kept p t) * _]mulrDr addrACA mulrDr; congr (_ + _).
by rewrite !mulrDr !(mulrCA a).
Qed.

Lemma states_linear t a x y :
  states (a *: x + y) t = (a *: (states x t).1 + (states y t).1, a *: (states x t).2 + (states y t).2).
Proof.
elim: t => [|t IH] /=; first by rewrite injection_linear scaler0 addr0.
by rewrite IH /= injection_linear mixture_linear scalerDr addrACA.
Qed.

(* What may be seen: messages or sums of them, by time and node, and draws, by time and place. *)
Definition numbers := [finType of ('I_T * 'I_n) + ('I_T * 'I_(n + m))].

Variable sight : sight.

(* What a node sends at time t; or the sum that a member learns, with the weights of the step, of those who are not members. *)
Definition message omega (t : nat) (w : 'I_n) : R :=
  if summed sight is Some inside then \sum_(j < n) (if (j : nat) \in inside then 0 else matrix_at R p t w j * sent omega t j 0)
  else sent omega t w 0.

Definition number (i : numbers) omega : R :=
  match i with inl x => message omega x.1 x.2 | inr x => omega x.1 x.2 end.

Lemma numbers_are_linear i : scalar (number i).
Proof.
case: i => [] [t w] a x y /=; last by rewrite !mxE.
rewrite /message /sent; case: (summed sight) => [inside|]; last by rewrite states_linear /= !mxE.
rewrite mulr_sumr -big_split; apply: eq_bigr => j _ /=; rewrite states_linear /=.
by case: ifP => _; rewrite ?mulr0 ?addr0 // !mxE mulrDr mulrCA.
Qed.

Definition is_seen (i : numbers) : bool :=
  match i with inl x => heard sight x.1 x.2 | inr x => known sight x.2 end.

(* What the observers see, and the sizes of the draws. *)
Definition view_matrix : 'M[R]_(#|numbers|, T * (n + m)) := observed is_seen number.
Definition sizes (s : nat -> nat -> R) : 'rV[R]_(T * (n + m)) := mxvec (\matrix_(t, k) s t k).

(* The input of u at time t: it goes where the draw of u goes. *)
Definition input_of (t u : nat) : 'M[R]_(T, n + m) := \matrix_(i, j) ((i == t :> nat) && (j == u :> nat))%:R.

End Runs.

(* The runs compute: newest first, what was sent before time t. *)
Section Computing.

Variables (p : protocol) (matrices : seq table).

Definition injected (omega : nat -> nat -> Q) (t w : nat) : Q :=
  add (omega t w) (if is_input p t then sum (fun e => mul (mask_end p e w) (omega t (nodes p + e)%N)) (size (masks p)) else zero).

Definition mixes (t : nat) (now before : seq Q) : seq Q :=
  let mixed := apply (nodes p) (nth [::] matrices t) now in
  mkseq (fun w => mul (factor p t.+1 w) (add (mul (gain p t) (nth zero mixed w)) (mul (kept p t) (nth zero before w)))) (nodes p).

Fixpoint history (omega : nat -> nat -> Q) (t : nat) : seq (seq Q) :=
  if t is r.+1 then
    let earlier := history omega r in
    let arrived := if r is q.+1 then mixes q (nth [::] earlier 0) (nth [::] earlier 1) else [::] in
    mkseq (fun w => add (injected omega r w) (nth zero arrived w)) (nodes p) :: earlier
  else [::].

(* Time t of a whole run. *)
Definition at_time (rows : seq (seq Q)) (t : nat) : seq Q := nth [::] rows (size (steps p) - t.+1).

Definition message_at (o : sight) (rows : seq (seq Q)) (t w : nat) : Q :=
  if summed o is Some inside then
    sum (fun j => if j \in inside then zero else mul (entry (nth [::] matrices t) w j) (nth zero (at_time rows t) j)) (nodes p)
  else nth zero (at_time rows t) w.

End Computing.

Section Meaning.

Variables (R : realFieldType) (p : protocol).

Local Notation n := (nodes p).
Local Notation m := (size (masks p)).
Local Notation T := (size (steps p)).

Definition draws_of (omega : nat -> nat -> Q) : 'M[R]_(T, n + m) := \matrix_(t, k) meaning R (omega t k).

Lemma column_nil : column R n [::] = 0.
Proof. by apply/colP=> w; rewrite !mxE nth_nil meaning0. Qed.

Lemma injectionE omega t : (t < T)%N -> injection (draws_of omega) t = \col_w meaning R (injected p omega t w).
Proof.
move=> tT; rewrite /injection insubT; apply/colP=> w; rewrite !mxE meaning_add; congr (_ + _).
case: ifP => _; last by rewrite meaning0.
by rewrite meaning_sum; apply: eq_bigr => e _; rewrite mxE meaning_mul.
Qed.

Lemma mixesE t now before : (t < T)%N -> column R n (mixes p (tables p) t now before) = mixture t (column R n now) (column R n before).
Proof.
move=> tT; apply/colP=> w; rewrite [LHS]mxE [RHS]mxE nth_mkseq // meaning_mul meaning_add !meaning_mul.
congr (_ * (_ * _ + _ * _)); last by rewrite mxE.
have -> : nth [::] (tables p) t = table_at p t by rewrite /table_at (set_nth_default [::]) // size_map.
have -> : meaning R (nth zero (apply n (table_at p t) now) w) = column R n (apply n (table_at p t) now) w 0 by rewrite mxE.
by rewrite column_apply tables_are_the_matrices.
Qed.

(* The computed run is the run. *)
Lemma historyE omega t : (t <= T)%N ->
  column R n (nth [::] (history p (tables p) omega t) 0) = (if t is r.+1 then sent (draws_of omega) r else 0) /\
  column R n (nth [::] (history p (tables p) omega t) 1) = (if t is r.+1 then (states (draws_of omega) r).2 else 0).
Proof.
elim: t => [_|t IH tT] /=; first by rewrite !column_nil.
have {IH} [now before] := IH (ltnW tT).
have last : column R n (nth [::] (history p (tables p) omega t) 0) = (states (draws_of omega) t).2.
  by rewrite now; case: t {now before tT}.
split=> //; apply/colP=> w; rewrite [LHS]mxE nth_mkseq // meaning_add.
case: t tT now before {last} => [|t] tT now before; first by rewrite nth_nil meaning0 addr0 /sent /= injectionE // mxE.
rewrite /sent [RHS]/= mxE injectionE // mxE; congr (_ + _).
have -> : meaning R (nth zero (mixes p (tables p) t (nth [::] (history p (tables p) omega t.+1) 0)
    (nth [::] (history p (tables p) omega t.+1) 1)) w) =
    column R n (mixes p (tables p) t (nth [::] (history p (tables p) omega t.+1) 0) (nth [::] (history p (tables p) omega t.+1) 1)) w 0 by rewrite mxE.
by rewrite mixesE ?now ?before // ltnW.
Qed.

Lemma history_nth omega t i : (i < t)%N ->
  nth [::] (history p (tables p) omega t) i = nth [::] (history p (tables p) omega (t - i)) 0.
Proof. by elim: t i => [|t IH] [|i] //= it; rewrite IH. Qed.

Lemma at_timeE omega t : (t < T)%N ->
  column R n (at_time p (history p (tables p) omega T) t) = sent (draws_of omega) t.
Proof.
move=> tT; rewrite /at_time history_nth; last by rewrite ltn_subrL (leq_ltn_trans _ tT).
rewrite subKn //; have [-> _] := @historyE omega t.+1 tT; by [].
Qed.

Lemma at_timeE_node omega t (w : 'I_n) : (t < T)%N ->
  meaning R (nth zero (at_time p (history p (tables p) omega T) t) w) = sent (draws_of omega) t w 0.
Proof. by move=> tT; rewrite -at_timeE // mxE. Qed.

Lemma message_atE o omega t (w : 'I_n) : (t < T)%N ->
  meaning R (message_at p (tables p) o (history p (tables p) omega T) t w) = message o (draws_of omega) t w.
Proof.
move=> tT; rewrite /message_at /message; case: (summed o) => [inside|]; last exact: at_timeE_node.
rewrite meaning_sum; apply: eq_bigr => j _; case: ifP => _; first by rewrite meaning0.
rewrite meaning_mul at_timeE_node // -tables_are_the_matrices mxE; congr (meaning R (entry _ _ _) * _).
by rewrite /table_at (set_nth_default [::]) // size_map.
Qed.

End Meaning.
