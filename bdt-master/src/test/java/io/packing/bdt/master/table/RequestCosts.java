// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.change.BatchRule;
import io.packing.bdt.master.table.change.Counters;
import io.packing.bdt.master.table.change.Mutation;
import io.packing.bdt.master.table.change.TableMemory;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.operation.VectorOperations;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.QuotaRow;
import io.packing.bdt.master.table.row.QuotaUse;
import io.packing.bdt.master.table.row.RequestSize;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/** A table in memory, and what vectors of operations take of its writer. */
final class RequestCosts {
    static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);

    private final TreeStore store = new TreeStore();
    private final WriteSet writes = new WriteSet(store);
    private final TableMemory memory;
    final Transaction transaction;

    private long reads;
    private long bytes;
    private long journalBytes;

    RequestCosts() throws IOException {
        memory = TableMemory.load(store, 1_000, MapForm.USUAL);
        transaction = new Transaction(writes, memory, true);
    }

    static FilePath path(String text) {
        return new FilePath(text);
    }

    static FilePath deep(String top, int levels) {
        return new FilePath("/" + top + "/d".repeat(levels));
    }

    /** Applies a vector as a request of a client, and writes it. */
    long cost(List<Operation> operations) throws IOException {
        VectorResult result = new VectorOperations(transaction, Permissions.UNCHECKED, 1)
                .apply(new OperationVector(List.of(), operations));
        assertThat(result).isInstanceOf(VectorResult.Applied.class);
        long units = writes.effort().units();
        reads = writes.effort().reads();
        transaction.accept();
        count();
        writes.put(Counters.KEY, transaction.counters().encode());
        store.write(writes.toBatch(), SortedStore.Sync.NONE);
        memory.written(writes);
        transaction.written();
        return units;
    }

    /** Applies a vector within the limits of a request. */
    long limited(Operation... operations) throws IOException {
        writes.effort().limit(RequestSize.of(OperationVector.of(operations)));
        return cost(operations);
    }

    private void count() {
        bytes = 0;
        journalBytes = 0;
        writes.all().forEach(row -> {
            int length = row.getKey().length
                    + row.getValue().map(value -> value.length).orElse(0);
            bytes += length;
            journalBytes += row.getKey()[0] == Keys.JOURNAL ? length : 0;
        });
    }

    /** Bytes of the rows that the last vector wrote. */
    long bytes() {
        return bytes;
    }

    /** Bytes of the journal that the last vector wrote. */
    long journalBytes() {
        return journalBytes;
    }

    /** Does one step of upkeep; returns the rows that it wrote, or 0 if there was nothing to do. */
    int upkeep(Mutation<Boolean> step) throws IOException {
        boolean worked = step.apply(transaction);
        transaction.accept();
        int written = writes.size();
        store.write(writes.toBatch(), SortedStore.Sync.NONE);
        memory.written(writes);
        transaction.written();
        return worked ? written : 0;
    }

    /** Applies operations as a batch that follows a rule; returns the rows that it read or passed. */
    long batch(BatchRule rule, Operation... operations) throws IOException {
        rule.before(transaction);
        long all = accepted();
        if (operations.length > 0) {
            VectorResult result = new VectorOperations(transaction, Permissions.UNCHECKED, 1)
                    .apply(new OperationVector(List.of(), List.of(operations)));
            assertThat(result).isInstanceOf(VectorResult.Applied.class);
            all += accepted();
        }
        rule.after(transaction);
        all += accepted();
        write();
        return all;
    }

    /** Applies a mutation of upkeep; returns the rows that it read or passed. */
    long upkeepReads(Mutation<Boolean> step) throws IOException {
        boolean unused = step.apply(transaction);
        long all = accepted();
        write();
        return all;
    }

    private long accepted() throws IOException {
        long all = writes.effort().reads();
        transaction.accept();
        return all;
    }

    private void write() throws IOException {
        writes.put(Counters.KEY, transaction.counters().encode());
        writes.accept();
        store.write(writes.toBatch(), SortedStore.Sync.NONE);
        memory.written(writes);
        transaction.written();
    }

    /** Returns the rows that are written. */
    Rows stored() {
        return new StoreRows(store);
    }

    /** Returns whether upkeep has to look for dropped snapshots. */
    boolean mayHaveDropped() {
        return memory.dropped().mayBe();
    }

    /** Returns the number of rows of a kind. */
    long rows(byte kind) throws IOException {
        long[] count = new long[1];
        writes.scan(Keys.kind(kind), Keys.kindEnd(kind), (key, value) -> {
            count[0] += Keys.isFence(key) ? 0 : 1;
            return true;
        });
        return count[0];
    }

    /** Returns how often a row of a kind was read by its key, so far. */
    long gets(byte kind) {
        return store.gets(kind);
    }

    /** Rows that the last vector read, or passed. */
    long reads() {
        return reads;
    }

    long cost(Operation... operations) throws IOException {
        return cost(List.of(operations));
    }

    /** One operation for each number. */
    static List<Operation> each(int count, IntFunction<Operation> operation) {
        List<Operation> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(operation.apply(i));
        }
        return all;
    }

    static Operation make(FilePath path) {
        return new Operation.MakeDirectory(path, DIRECTORY, true);
    }

    static Operation file(FilePath path) {
        return new Operation.CreateFile(path, AttributeChange.NONE, true);
    }

    static Operation copy(FilePath from, FilePath to) {
        return new Operation.CloneFile(from, to, true, AttributeChange.NONE);
    }

    static Operation range(FilePath from, long offset, long length, FilePath to, long at) {
        return new Operation.CloneRange(new ByteRange(from, offset, length), to, at);
    }

    static Operation mode(FilePath path, int mode) {
        return new Operation.SetAttributes(
                path, new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode)));
    }

    static Operation move(FilePath from, FilePath to) {
        return new Operation.Rename(from, to, false);
    }

    static Operation remove(FilePath path) {
        return new Operation.Delete(path, true);
    }

    static Operation snapshot(FilePath path, String name) {
        return new Operation.TakeSnapshot(path, name);
    }

    /** Puts a file with bytes into the table, as a commit does. */
    void packed(FilePath path, long length) throws IOException {
        claimed(path, length, new Inode.Buffered(new SessionId("w", 1), false));
    }

    /** Puts a file of some length into the table, at a place. */
    void claimed(FilePath path, long length, Inode.Place place) throws IOException {
        cost(file(path), new Operation.Truncate(path, length));
        ResolvedPath found = transaction.namespace().find(path);
        long id = transaction.change().nextId();
        long generation = transaction.change().nextPosition();
        Inode inode = found.inode().orElseThrow();
        transaction.remove(found.parent(), found.name(), inode);
        transaction.add(found.parent(), found.name(), new Inode(id, generation, inode.attributes(), place));
        transaction.accept();
        store.write(writes.toBatch(), SortedStore.Sync.NONE);
        memory.written(writes);
        transaction.written();
    }

    void quota(FilePath path) throws IOException {
        Inode directory = transaction.namespace().find(path).inode().orElseThrow();
        transaction
                .quotas()
                .set(
                        directory,
                        new QuotaRow(OptionalLong.of(1L << 40), OptionalLong.empty(), QuotaUse.NONE),
                        transaction.change().nextPosition());
        transaction.accept();
        store.write(writes.toBatch(), SortedStore.Sync.NONE);
        transaction.written();
    }
}
