// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.AppendTarget;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapChain;
import io.packing.bdt.master.table.row.RequestSize;
import io.packing.bdt.master.table.row.SessionId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The mutation by which a worker claims a file and appends it to another one: the claim, and the vector that a client would send after it.
 * So the table never has the one without the other. Confined to the writer thread.
 */
public final class AppendOperations {
    private final Transaction transaction;
    private final Claimants claimants;
    private final long nowMillis;

    /** @param claimants those for whom files are claimed */
    public AppendOperations(Transaction transaction, Claimants claimants, long nowMillis) {
        this.transaction = transaction;
        this.claimants = claimants;
        this.nowMillis = nowMillis;
    }

    /**
     * Claims a file and appends it.
     *
     * @throws VectorOperations.RefusedException when the file that grows is not as the claim says; the mutation must be taken back then
     */
    public ClaimResult claim(SessionId session, Claim claim) throws IOException {
        ClaimResult result = new ClaimOperations(transaction, new NamespaceOperations(transaction), claimants)
                .claim(session, List.of(claim))
                .get(0);
        if (!(result instanceof ClaimResult.Granted granted)) {
            return result;
        }
        AppendTarget to = claim.append().orElseThrow();
        Optional<Inode> claimed = transaction.namespace().find(claim.path()).inode();
        if (claimed.isEmpty() || claimed.get().id() != claim.fileId()) {
            return before(claim, to, granted);
        }
        OperationVector vector = to.vector(claim.path(), claim.attributes().length());
        transaction.rows().effort().limit(RequestSize.of(vector));
        new VectorOperations(transaction, claimants.of(claim.user()), nowMillis).apply(vector);
        return new ClaimResult.Granted(granted.version(), target(to).map(Inode::version));
    }

    /** Answers a claim that was granted before, and whose answer may have been lost: its file is in the other one, or was replaced since. */
    private ClaimResult before(Claim claim, AppendTarget to, ClaimResult.Granted granted) throws IOException {
        // Its id says nothing: a clone makes a file its own, with another id, before it changes that.
        Optional<Inode> target = target(to);
        return target.isPresent() && has(target.get(), claim.fileId())
                ? new ClaimResult.Granted(granted.version(), target.map(Inode::version))
                : new ClaimResult.Refused(Outcome.CHANGED);
    }

    /** Returns the file that gets the bytes, which may have several names. */
    private Optional<Inode> target(AppendTarget to) throws IOException {
        Namespace names = transaction.namespace();
        return names.follow(names.find(to.path())).inode();
    }

    private boolean has(Inode file, long content) throws IOException {
        if (file.place() instanceof Inode.Fragmented) {
            // A clone or a snapshot since may have frozen the layer that got the bytes.
            return !MapChain.of(transaction.rows(), file)
                    .of(transaction.rows(), content)
                    .isEmpty();
        }
        return transaction.rows().get(Keys.referrer(content, file.id())).isPresent();
    }
}
