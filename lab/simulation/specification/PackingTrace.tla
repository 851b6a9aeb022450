---------------------------- MODULE PackingTrace ----------------------------
(* SPDX-License-Identifier: Apache-2.0                                      *)
(* Steps that simulated clusters recorded, each of which has to be a step   *)
(* of Packing. TLC stops at the first that is none: it finds a deadlock,    *)
(* whose last state has the trace and the place of the step.                *)
EXTENDS Packing, TLC, Steps

VARIABLES trace, at

M == "master"
e == Recorded[trace][at]

(* A call is recorded where it arrived at the master, and the answer to a   *)
(* registration where it left. Ends by clients are recorded where a worker  *)
(* learns of them.                                                          *)
Step ==
    \/ e.do = "lease" /\ Lease(M)
    \/ e.do = "serve" /\ (GoOn(M) \/ Recover(M))
    \/ e.do = "end-master" /\ EndMaster(M)
    \/ e.do = "lose-table" /\ LoseTable(M)
    \/ e.do = "register" /\ Register(M, e.w, e.p)
    \/ e.do = "end-worker" /\ EndWorker(e.w)
    \/ e.do = "id" /\ NewId(M, e.w, e.s, e.f)
    \/ e.do = "claim" /\ Claim(M, e.w, e.s, e.f, e.p)
    \/ e.do = "granted" /\ IF e.f \in named[e.w] THEN Granted(e.w, e.f) ELSE Recall(e.w, e.f)
    \/ e.do = "ack" /\ Ack(e.w, e.f)
    \/ e.do = "end" /\ IF Rows(M)[e.f].st = "packed" THEN UNCHANGED vars ELSE End(M, e.f)
    \/ e.do = "order" /\ IF Rows(M)[e.f].st = "ended" THEN Order(M, e.w, e.f) ELSE Refuse(M, e.w, session[e.w], e.f)
    \/ e.do = "push" /\ Push(e.w, e.b, e.fs)
    \/ e.do = "commit" /\ e.fs \subseteq store[e.b] /\ (session[e.w] = e.s => e.w \in complete)
       /\ Commit(M, Commits(e.w, e.s, e.b, e.fs))
    \/ e.do = "forget" /\ IF e.f \in buffer[e.w] THEN Forget(e.w, e.f) ELSE UNCHANGED vars
    \/ e.do = "keep" /\ Keep(M, e.w, e.s, e.f)
    \/ e.do = "refuse" /\ Refuse(M, e.w, e.s, e.f)
    \/ e.do = "reclaimed" /\ Reclaimed(M, e.w, e.s)

TraceInit == Init /\ trace \in 1..Len(Recorded) /\ at = 1

TraceNext ==
    \/ at <= Len(Recorded[trace]) /\ Step /\ at' = at + 1 /\ UNCHANGED trace
    \/ at > Len(Recorded[trace]) /\ UNCHANGED <<vars, trace, at>>

TraceSpec == TraceInit /\ [][TraceNext]_<<vars, trace, at>>
=============================================================================
