---------------------------- MODULE PackingModel ----------------------------
(* SPDX-License-Identifier: Apache-2.0                                      *)
(* All behaviours of Packing for small sizes, which TLC plays.              *)
EXTENDS Packing, TLC

CONSTANTS MostEpochs

NextPosition(m) == table[m].position + 1
Room(m) == NextPosition(m) < (epoch + 1) * Jump

Next ==
    \/ \E m \in Masters :
        \/ epoch < MostEpochs /\ Lease(m)
        \/ GoOn(m) \/ Recover(m) \/ LoseTable(m)
        \/ holder = m /\ EndMaster(m)
        \/ Save(m)
        \/ \E n \in Masters : epoch < MostEpochs /\ Move(m, n)
        \/ \E w \in Workers :
            \/ (session[w] = 0 \/ session[w] # table[m].session[w])
               /\ Room(m) /\ Register(m, w, NextPosition(m))
            \/ w \notin complete /\ Reclaimed(m, w, session[w])
            \/ \E f \in Files :
                \/ f \notin ids /\ NewId(m, w, session[w], f)
                \/ f \notin buffer[w] /\ f \notin acked /\ f \notin gone /\ Room(m) /\ \A v \in Workers : f \notin buffer[v]
                   /\ Claim(m, w, session[w], f, NextPosition(m))
                \/ f \in buffer[w] /\ Order(m, w, f)
                \/ f \in buffer[w] \ named[w] /\ (Keep(m, w, session[w], f) \/ Refuse(m, w, session[w], f))
        \/ \E f \in Files : Rows(m)[f].st \in {"buffered", "packed"} /\ End(m, f)
        \/ \E c \in sent : Commit(m, c)
    \/ \E w \in Workers :
        \/ session[w] > 0 /\ EndWorker(w)
        \/ \E f \in Files :
            \/ f \notin known[w] /\ (Granted(w, f) \/ Recall(w, f))
            \/ f \notin acked /\ Ack(w, f)
            \/ f \in buffer[w] /\ session[w] > 0 /\ Forget(w, f)
        \/ \E b \in Blobs, fs \in SUBSET known[w] :
            /\ fs # {} /\ session[w] > 0
            /\ \/ Push(w, b, fs)
               \/ SendCommit(w, b, fs)

Symmetry == Permutations(Masters) \union Permutations(Files) \union Permutations(Blobs) \union Permutations(Workers)

Spec == Init /\ [][Next]_vars
=============================================================================
