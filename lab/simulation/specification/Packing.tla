------------------------------ MODULE Packing ------------------------------
(* SPDX-License-Identifier: Apache-2.0                                      *)
(* A mount's table, its workers and its store: lease, claim, commit,        *)
(* reclaim, recovery and move. docs/bdt-protocol.md has the messages, and   *)
(* docs/rfc/0025-simulation.md says how this is checked.                    *)
(*                                                                          *)
(* A file is its id, of one version. A blob has the files that one push put *)
(* into it. Masters are directories with a table, of which one serves the   *)
(* mount. Numbers of the log are positions: a session and a granted claim   *)
(* have one each, which no other may ever have.                             *)
EXTENDS Naturals, FiniteSets, Sequences

CONSTANTS
    Masters, Workers, Files, Blobs,
    NoOne,      \* no master, no worker, no blob
    Jump,       \* positions that an epoch has for itself: 2^32 in the code
    Mistake     \* the planted mistake, or "none"

VARIABLES
    epoch,      \* the newest lease epoch that the store has
    owner,      \* the masters that took the epochs, a sequence
    holder,     \* the master whose process took the newest epoch, and has not ended
    serves,     \* the masters that answer calls
    table,      \* of each master
    saved,      \* the table as backup and journal in the store have it
    store,      \* the files of each blob; none: there is no such object
    ids,        \* ids that were given out
    given,      \* positions that were given out
    repeated,   \* an id or a position was given out twice
    buffer,     \* the files whose bytes are on a worker's disk
    known,      \* those of them of which the worker knows that their claim was granted
    session,    \* the session of a worker's process; 0: none
    owed,       \* files that a worker has to name in its session
    named,      \* files that it has named, or claimed in its session
    complete,   \* workers that have named all
    pending,    \* blobs that a worker has pushed, and not seen committed
    sent,       \* commits that were sent: they may arrive late, twice or never
    safe,       \* files of which the master has answered that the worker may forget them
    acked,      \* files whose close was answered
    gone        \* files that a client ended

vars == <<epoch, owner, holder, serves, table, saved, store, ids, given, repeated, buffer, known, session, owed, named,
          complete, pending, sent, safe, acked, gone>>

storeVars == <<saved, store>>
leaseVars == <<epoch, owner, holder, serves>>
workerVars == <<buffer, known, session, owed, named, complete, pending, sent, safe>>
numberVars == <<ids, given, repeated>>

Row(st, who) == [st |-> st, by |-> who]
Absent == Row("none", NoOne)

(* epoch 0: the directory has no table, or an older copy of one.            *)
NoTable == [epoch |-> 0, position |-> 0, rows |-> [f \in Files |-> Absent], session |-> [w \in Workers |-> 0]]

Init ==
    /\ epoch = 0
    /\ owner = << >>
    /\ holder = NoOne
    /\ serves = {}
    /\ table = [m \in Masters |-> NoTable]
    /\ saved = NoTable
    /\ store = [b \in Blobs |-> {}]
    /\ ids = {} /\ given = {} /\ repeated = FALSE
    /\ buffer = [w \in Workers |-> {}]
    /\ known = [w \in Workers |-> {}]
    /\ session = [w \in Workers |-> 0]
    /\ owed = [w \in Workers |-> {}]
    /\ named = [w \in Workers |-> {}]
    /\ complete = {}
    /\ pending = [w \in Workers |-> {}]
    /\ sent = {}
    /\ safe = [w \in Workers |-> {}]
    /\ acked = {} /\ gone = {}

(* ------------------------------- masters -------------------------------- *)

(* A master takes the next epoch. No other one answers: it has ended, or    *)
(* its lease has run out and it has stopped.                                *)
Lease(m) ==
    /\ serves = {}
    /\ epoch' = epoch + 1
    /\ owner' = Append(owner, m)
    /\ holder' = m
    /\ UNCHANGED serves
    /\ UNCHANGED <<table, acked, gone>> /\ UNCHANGED storeVars /\ UNCHANGED workerVars /\ UNCHANGED numberVars

(* The table of a master is the newest one if no other took an epoch since. *)
IsNewest(m) ==
    /\ table[m].epoch > 0
    /\ \A e \in (table[m].epoch + 1)..epoch : owner[e] = m

Jumped == IF Mistake = "NoJump" THEN 0 ELSE epoch * Jump
Larger(a, b) == IF a > b THEN a ELSE b

Opened(m, t) ==
    /\ holder = m /\ m \notin serves
    /\ serves' = {m}
    /\ table' = [table EXCEPT ![m] = t]
    /\ UNCHANGED <<epoch, owner, holder, acked, gone>>
    /\ UNCHANGED storeVars /\ UNCHANGED workerVars /\ UNCHANGED numberVars

(* The master goes on with its own table.                                   *)
GoOn(m) ==
    /\ IsNewest(m)
    /\ Opened(m, [table[m] EXCEPT !.epoch = epoch, !.position = Larger(@, Jumped)])

InBlob(f) == \E b \in Blobs : f \in store[b]
BlobOf(f) == CHOOSE b \in Blobs : f \in store[b]

(* The table that backup, journal and footers prove. Sessions are those of  *)
(* the backup: their workers register again, since positions have jumped.   *)
Recovered ==
    [epoch |-> epoch,
     position |-> Larger(saved.position, Jumped),
     rows |-> [f \in Files |->
        IF saved.rows[f].st = "ended" THEN saved.rows[f]
        ELSE IF InBlob(f) /\ Mistake # "BlobsLeftOut" THEN Row("packed", BlobOf(f))
        ELSE saved.rows[f]],
     session |-> [w \in Workers |-> 0]]

Recover(m) ==
    /\ ~IsNewest(m)
    /\ Opened(m, Recovered)

(* The process of a master ends. The next one takes an epoch of its own.    *)
EndMaster(m) ==
    /\ serves' = serves \ {m}
    /\ holder' = IF holder = m THEN NoOne ELSE holder
    /\ UNCHANGED <<epoch, owner, table, acked, gone>>
    /\ UNCHANGED storeVars /\ UNCHANGED workerVars /\ UNCHANGED numberVars

(* The directory of a master that has ended is lost, or an older copy.      *)
LoseTable(m) ==
    /\ holder # m
    /\ table' = [table EXCEPT ![m] = NoTable]
    /\ UNCHANGED <<acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED workerVars /\ UNCHANGED numberVars

(* Backup and journal are uploaded.                                         *)
Save(m) ==
    /\ m \in serves
    /\ saved' = table[m]
    /\ UNCHANGED <<table, store, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED workerVars /\ UNCHANGED numberVars

(* The mount moves to another group: the whole table goes over, and the     *)
(* receiver takes the next epoch before it answers.                         *)
Move(m, n) ==
    /\ m \in serves /\ m # n
    /\ epoch' = epoch + 1
    /\ owner' = Append(owner, n)
    /\ holder' = n
    /\ serves' = IF Mistake = "SenderServesOn" THEN {m, n} ELSE {n}
    /\ table' = [table EXCEPT ![n] = [table[m] EXCEPT !.epoch = epoch + 1],
                              ![m] = IF Mistake = "SenderServesOn" THEN @ ELSE NoTable]
    /\ UNCHANGED <<acked, gone>> /\ UNCHANGED storeVars /\ UNCHANGED workerVars /\ UNCHANGED numberVars

(* ------------------------------- sessions ------------------------------- *)

Rows(m) == table[m].rows
IsOf(m, w, s) == m \in serves /\ s > 0 /\ table[m].session[w] = s

Give(p) ==
    /\ given' = given \union {p}
    /\ repeated' = (repeated \/ p \in given)

(* A worker registers: earlier sessions are fenced, and it owes the names   *)
(* of all files that it knows as granted.                                   *)
Register(m, w, p) ==
    /\ m \in serves
    /\ table' = [table EXCEPT ![m].position = Larger(@, p), ![m].session[w] = p]
    /\ session' = [session EXCEPT ![w] = p]
    /\ owed' = [owed EXCEPT ![w] = known[w]]
    /\ named' = [named EXCEPT ![w] = {}]
    /\ complete' = complete \ {w}
    /\ Give(p)
    /\ UNCHANGED <<ids, buffer, known, pending, sent, safe, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars

(* The process of a worker ends. Its disk stays, and so does what is forced. *)
EndWorker(w) ==
    /\ session' = [session EXCEPT ![w] = 0]
    /\ owed' = [owed EXCEPT ![w] = {}]
    /\ named' = [named EXCEPT ![w] = {}]
    /\ complete' = complete \ {w}
    /\ safe' = [safe EXCEPT ![w] = {}]
    /\ UNCHANGED <<table, buffer, known, pending, sent, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED numberVars

(* -------------------------------- claims -------------------------------- *)

(* A worker gets an id for a file.                                          *)
NewId(m, w, s, f) ==
    /\ IsOf(m, w, s)
    /\ ids' = ids \union {f}
    /\ repeated' = (repeated \/ f \in ids)
    /\ UNCHANGED <<table, given, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED workerVars

(* The master grants the claim of a file whose bytes are on the worker's    *)
(* disk. A repeat gets the position of the first grant.                     *)
Claim(m, w, s, f, p) ==
    /\ IsOf(m, w, s)
    /\ f \in ids
    /\ Rows(m)[f].st = "none"
    /\ table' = [table EXCEPT ![m].position = Larger(@, p), ![m].rows[f] = Row("buffered", w)]
    /\ buffer' = [buffer EXCEPT ![w] = @ \union {f}]
    /\ named' = [named EXCEPT ![w] = IF session[w] = s THEN @ \union {f} ELSE @]
    /\ Give(p)
    /\ UNCHANGED <<ids, known, session, owed, complete, pending, sent, safe, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars

(* The worker learns that a claim was granted, in the session of the claim. *)
Granted(w, f) ==
    /\ f \in buffer[w] /\ f \in named[w]
    /\ known' = [known EXCEPT ![w] = @ \union {f}]
    /\ UNCHANGED <<table, buffer, session, owed, named, complete, pending, sent, safe, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED numberVars

(* A process finds a file that an earlier one has pushed: a loss of power   *)
(* may bring forgotten bytes back. It names the file with the others.       *)
Recall(w, f) ==
    /\ InBlob(f) /\ w \notin complete /\ session[w] > 0
    /\ buffer' = [buffer EXCEPT ![w] = @ \union {f}]
    /\ known' = [known EXCEPT ![w] = @ \union {f}]
    /\ UNCHANGED <<table, session, owed, named, complete, pending, sent, safe, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED numberVars

(* The worker answers the close of a file, which it knows as granted.       *)
Ack(w, f) ==
    /\ \/ f \in known[w]
       \/ Mistake = "ClaimNotAwaited" /\ f \in ids
    /\ acked' = acked \union {f}
    /\ UNCHANGED <<table, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED workerVars /\ UNCHANGED numberVars

(* A client deletes or overwrites a file.                                   *)
End(m, f) ==
    /\ m \in serves
    /\ table' = [table EXCEPT ![m].rows[f] = Row("ended", NoOne)]
    /\ gone' = gone \union {f}
    /\ UNCHANGED acked
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED workerVars /\ UNCHANGED numberVars

(* The master orders a worker to drop a file that ended.                    *)
Order(m, w, f) ==
    /\ m \in serves
    /\ Rows(m)[f].st = "ended"
    /\ safe' = [safe EXCEPT ![w] = @ \union {f}]
    /\ UNCHANGED <<table, buffer, known, session, owed, named, complete, pending, sent, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED numberVars

(* ---------------------------- pushes, commits ---------------------------- *)

(* A worker pushes files into a new blob.                                   *)
Push(w, b, fs) ==
    /\ store[b] = {}
    /\ store' = [store EXCEPT ![b] = fs]
    /\ pending' = [pending EXCEPT ![w] = @ \union {b}]
    /\ UNCHANGED <<table, saved, buffer, known, session, owed, named, complete, sent, safe, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED numberVars

Commits(w, s, b, fs) == [by |-> w, session |-> s, blob |-> b, files |-> fs]

(* A worker sends the commit of a blob that the store has. It has named all *)
(* files before: a master passes over those that it does not know.          *)
SendCommit(w, b, fs) ==
    /\ session[w] > 0 /\ w \in complete
    /\ \/ b \in pending[w] /\ fs = store[b]
       \/ Mistake = "BlobBelieved" /\ store[b] = {} /\ fs \subseteq known[w]
    /\ sent' = sent \union {Commits(w, session[w], b, fs)}
    /\ UNCHANGED <<table, buffer, known, session, owed, named, complete, pending, safe, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED numberVars

(* The master takes a commit of the worker's newest session: rows of its    *)
(* claims become places. It passes over files that ended. Its answer allows *)
(* the worker to forget all of them.                                        *)
Commit(m, c) ==
    LET w == c.by IN
    /\ IsOf(m, w, c.session)
    /\ table' = [table EXCEPT ![m].rows = [f \in Files |->
            IF f \in c.files /\ Rows(m)[f] = Row("buffered", w) THEN Row("packed", c.blob) ELSE Rows(m)[f]]]
    /\ safe' = [safe EXCEPT ![w] = IF session[w] = c.session THEN @ \union c.files ELSE @]
    /\ pending' = [pending EXCEPT ![w] = IF session[w] = c.session THEN @ \ {c.blob} ELSE @]
    /\ UNCHANGED <<buffer, known, session, owed, named, complete, sent, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED numberVars

(* A worker forgets the bytes of a file.                                    *)
Forget(w, f) ==
    /\ \/ f \in safe[w]
       \/ Mistake = "ForgetFirst" /\ InBlob(f)
    /\ buffer' = [buffer EXCEPT ![w] = @ \ {f}]
    /\ known' = [known EXCEPT ![w] = @ \ {f}]
    /\ owed' = [owed EXCEPT ![w] = @ \ {f}]
    /\ UNCHANGED <<table, session, named, complete, pending, sent, safe, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED numberVars

(* ------------------------------- reclaims ------------------------------- *)

(* A worker names a file, and keeps it: the table has it as the worker's,   *)
(* or has lost it.                                                          *)
Keep(m, w, s, f) ==
    /\ IsOf(m, w, s)
    /\ Rows(m)[f] \in {Row("buffered", w), Absent, Row("lost", w)}
    /\ table' = [table EXCEPT ![m].rows[f] = Row("buffered", w)]
    /\ buffer' = [buffer EXCEPT ![w] = @ \union {f}]
    /\ known' = [known EXCEPT ![w] = @ \union {f}]
    /\ owed' = [owed EXCEPT ![w] = @ \ {f}]
    /\ named' = [named EXCEPT ![w] = @ \union {f}]
    /\ UNCHANGED <<session, complete, pending, sent, safe, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED numberVars

(* A worker names a file that is over: it ended, or a blob has it.          *)
Refuse(m, w, s, f) ==
    /\ IsOf(m, w, s)
    /\ Rows(m)[f].st \in {"ended", "packed"}
    /\ safe' = [safe EXCEPT ![w] = @ \union {f}]
    /\ owed' = [owed EXCEPT ![w] = @ \ {f}]
    /\ named' = [named EXCEPT ![w] = @ \union {f}]
    /\ UNCHANGED <<table, buffer, known, session, complete, pending, sent, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED numberVars

(* A worker has named all that it has. Claims of its older sessions that it *)
(* did not name are lost.                                                   *)
Reclaimed(m, w, s) ==
    /\ IsOf(m, w, s)
    /\ owed[w] = {} \/ Mistake = "NotReclaimed"
    /\ table' = [table EXCEPT ![m].rows = [f \in Files |->
            IF Rows(m)[f] = Row("buffered", w) /\ f \notin named[w] THEN Row("lost", w) ELSE Rows(m)[f]]]
    /\ complete' = complete \union {w}
    /\ UNCHANGED <<buffer, known, session, owed, named, pending, sent, safe, acked, gone>>
    /\ UNCHANGED leaseVars /\ UNCHANGED storeVars /\ UNCHANGED numberVars

(* ------------------------------ invariants ------------------------------ *)

(* One master answers, and it has the newest epoch.                         *)
OneMaster == Cardinality(serves) <= 1 /\ serves \subseteq {holder}

(* No id and no position is given out twice.                                *)
GivenOnce == ~repeated

(* The table names no blob that is not in the store.                        *)
Pushed == \A m \in serves : \A f \in Files : Rows(m)[f].st = "packed" => f \in store[Rows(m)[f].by]

(* The bytes of an answered file are on a worker's disk or in the store,    *)
(* until a client ends it.                                                  *)
NothingLost == \A f \in acked \ gone : (\E w \in Workers : f \in buffer[w]) \/ InBlob(f)

(* When all workers have named what they have, each answered file is found. *)
Found ==
    \A m \in serves :
        (\A w \in Workers : w \in complete /\ session[w] = table[m].session[w]) =>
            \A f \in acked \ gone :
                \/ Rows(m)[f].st = "packed"
                \/ Rows(m)[f].st = "buffered" /\ f \in buffer[Rows(m)[f].by]
=============================================================================
