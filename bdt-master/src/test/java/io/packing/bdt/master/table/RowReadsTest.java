// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtUser;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileIds;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.change.Counters;
import io.packing.bdt.master.table.change.TableMemory;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.operation.ClaimOperations;
import io.packing.bdt.master.table.operation.Claimants;
import io.packing.bdt.master.table.operation.NamespaceOperations;
import io.packing.bdt.master.table.operation.SessionOperations;
import io.packing.bdt.master.table.operation.VectorOperations;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.Principal;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Reads of the store by operations. The cache has the directories above each path. */
class RowReadsTest {
    private static final DirectoryAttributes OWN = new DirectoryAttributes("u", "g", 0755);
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);
    private static final Optional<BdtUser> USER = Optional.of(new BdtUser("u", false));
    private static final AttributeChange MODE =
            new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(0600));
    private static final AttributeChange MODE_OF_ROOT =
            new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(0755));

    private final TreeStore store = new TreeStore();
    private final WriteSet writes = new WriteSet(store);
    private final TableMemory memory;
    private final Transaction transaction;
    private final SessionId session;
    private long nextFile;

    RowReadsTest() throws IOException {
        memory = TableMemory.load(store, 1_000, MapForm.USUAL);
        transaction = new Transaction(writes, memory, true);
        session = new SessionId("w", 1);
    }

    private interface Step {
        Object run() throws IOException;
    }

    /** Returns how often a mutation read the store. */
    private long reads(Object expected, Step step) throws IOException {
        long before = store.reads();
        Object result = step.run();
        long reads = store.reads() - before;
        transaction.accept();
        writes.put(Counters.KEY, transaction.counters().encode());
        store.write(writes.toBatch(), SortedStore.Sync.NONE);
        memory.written(writes);
        transaction.written();
        assertThat(result).isEqualTo(expected);
        return reads;
    }

    private static FilePath path(String text) {
        return new FilePath(text);
    }

    private Claim claim(String path, boolean overwrite) {
        return new Claim(nextFile++, path(path), FILE, true, overwrite, false, Optional.empty(), false, USER);
    }

    private List<ClaimResult> claimed(Claimants claimants, Claim claim) throws IOException {
        return new ClaimOperations(transaction, new NamespaceOperations(transaction), claimants)
                .claim(session, List.of(claim));
    }

    private Outcome applied(Permissions who, Operation operation) throws IOException {
        VectorResult result =
                new VectorOperations(transaction, who, 1).apply(new OperationVector(List.of(), List.of(operation)));
        return result instanceof VectorResult.Applied ? Outcome.DONE : Outcome.INVALID;
    }

    private long vector(Permissions who, Operation operation) throws IOException {
        return reads(Outcome.DONE, () -> applied(who, operation));
    }

    private long claim(Permissions who, String path, boolean overwrite) throws IOException {
        return reads(true, () -> claimed(user -> who, claim(path, overwrite)).get(0) instanceof ClaimResult.Granted);
    }

    private Map<String, Long> all(Permissions who, String top) throws IOException {
        NamespaceOperations names = new NamespaceOperations(transaction, who);
        long first = reads(Outcome.DONE, () -> names.mkdir(path(top), OWN, true, 1));
        assertThat(first).isPositive();
        Map<String, Long> reads = new LinkedHashMap<>();
        reads.put("make a directory", reads(Outcome.DONE, () -> names.mkdir(path(top + "/e"), OWN, false, 1)));
        reads.put("make one that is there", reads(Outcome.EXISTS, () -> names.mkdir(path(top + "/e"), OWN, true, 1)));
        reads.put("make two", reads(Outcome.DONE, () -> names.mkdir(path(top + "/e/f/g"), OWN, true, 1)));
        reads.put("create", vector(who, new Operation.CreateFile(path(top + "/e/a"), AttributeChange.NONE, false)));
        reads.put(
                "create in the place of a file",
                vector(who, new Operation.CreateFile(path(top + "/e/a"), AttributeChange.NONE, true)));
        reads.put("claim", claim(who, top + "/e/b", false));
        reads.put("claim in the place of a file", claim(who, top + "/e/b", true));
        reads.put("set a mode", reads(Outcome.DONE, () -> names.setAttributes(path(top + "/e/b"), MODE)));
        reads.put("rename", reads(Outcome.DONE, () -> names.rename(path(top + "/e/b"), path(top + "/e/c"))));
        reads.put(
                "rename over a file",
                reads(Outcome.DONE, () -> names.rename(path(top + "/e/c"), path(top + "/e/a"), true)));
        reads.put("link", vector(who, new Operation.Link(path(top + "/e/a"), path(top + "/e/l"))));
        reads.put("delete", reads(Outcome.DONE, () -> names.delete(path(top + "/e/l"), false)));
        reads.put(
                "clone a file",
                vector(
                        who,
                        new Operation.CloneFile(path(top + "/e/a"), path(top + "/e/d"), false, AttributeChange.NONE)));
        reads.put("truncate", vector(who, new Operation.Truncate(path(top + "/e/d"), 5)));
        reads.put("take a snapshot", vector(who, new Operation.TakeSnapshot(path(top + "/e"), "s")));
        return reads;
    }

    private static Map<String, Long> ofNewTable(Permissions who) throws IOException {
        RowReadsTest table = new RowReadsTest();
        table.transaction.putSession(new SessionRow(table.session, "host:1", 0, ""));
        table.nextFile = new SessionOperations(table.transaction).leaseIds(table.session, FileIds.RANGE);
        NamespaceOperations names = new NamespaceOperations(table.transaction);
        DirectoryAttributes open = new DirectoryAttributes("", "", 0777);
        // Until its attributes are changed the root has no row that the cache could keep.
        long prepared = table.reads(Outcome.DONE, () -> names.setAttributes(FilePath.ROOT, MODE_OF_ROOT))
                + table.reads(Outcome.DONE, () -> names.mkdir(path("/home"), open, false, 1));
        assertThat(prepared).isPositive();
        return table.all(who, "/home/x");
    }

    @Test
    void theRightsOfACallerCostNoRow() throws IOException {
        Map<String, Long> unchecked = ofNewTable(Permissions.UNCHECKED);
        Map<String, Long> checked = ofNewTable(Permissions.of(new Principal("u", Set.of("g"), false)));
        assertThat(checked).isEqualTo(unchecked);
        assertThat(unchecked).containsEntry("claim", 1L).containsEntry("create", 1L);
    }
}
