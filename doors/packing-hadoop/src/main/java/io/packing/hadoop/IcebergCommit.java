// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;

/**
 * Changes of several Iceberg tables that readers see together or not at all. The tables of {@link #table} take all of Iceberg's operations, whose
 * commits are only staged. {@link #apply} makes the staged versions the tables' own by one vector, on the condition that none of the group's tables
 * has another version by now, changed here or not. Confined to one thread.
 */
public final class IcebergCommit implements AutoCloseable {
    private final PackingHadoopFileSystem files;
    private final Map<String, StagedTable> staged = new LinkedHashMap<>();
    private boolean isOver;

    IcebergCommit(Configuration configuration, List<String> locations, List<TableOperations> tables) {
        this.files = files(configuration, locations);
        for (int i = 0; i < locations.size(); i++) {
            staged.put(locations.get(i), new StagedTable(files, locations.get(i), tables.get(i)));
        }
    }

    private static PackingHadoopFileSystem files(Configuration configuration, List<String> locations) {
        Optional<PackingHadoopFileSystem> all = Optional.empty();
        for (String location : locations) {
            try {
                if (!(new Path(location).getFileSystem(configuration) instanceof PackingHadoopFileSystem found)
                        || !found.getUri().equals(all.orElse(found).getUri())) {
                    throw new IllegalArgumentException(
                            "%s: the tables of a group are in one mount, with equal URIs of packing://"
                                    .formatted(location));
                }
                all = Optional.of(found);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return all.orElseThrow();
    }

    /** Returns a table of the group, whose commits are staged and seen by this commit only. */
    public Table table(String location) {
        return new BaseTable(operations(location), location);
    }

    private StagedTable operations(String location) {
        StagedTable found = staged.get(location);
        if (found == null) {
            throw new IllegalArgumentException("%s is not in the group of %s".formatted(location, staged.keySet()));
        }
        return found;
    }

    /**
     * Commits what is staged, all of it or nothing.
     *
     * @throws CommitFailedException when another writer has committed to a table of the group first: nothing has changed. Begin again
     * @throws CommitStateUnknownException when the master's answer is lost, and it does not say which of both is so
     */
    public void apply() {
        if (isOver) {
            throw new IllegalStateException("this commit is over: begin another one");
        }
        List<Precondition> preconditions = new ArrayList<>();
        List<Operation> operations = new ArrayList<>();
        // The tables of the preconditions and operations, for messages.
        List<String> conditioned = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        try {
            for (StagedTable each : staged.values()) {
                each.conditions(preconditions);
                each.write(operations);
                fill(conditioned, each.location(), preconditions.size());
                fill(changed, each.location(), operations.size());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!operations.isEmpty()) {
            VectorResult result = apply(new OperationVector(preconditions, operations));
            if (result instanceof VectorResult.Refused refused) {
                boolean isCondition = refused.kind() == VectorResult.Kind.PRECONDITION;
                throw new CommitFailedException(
                        "%s has another version than that of this commit (%s): no table of the group was changed",
                        (isCondition ? conditioned : changed).get(refused.index()), refused.reason());
            }
        }
        isOver = true;
        staged.values().forEach(StagedTable::applied);
    }

    private static void fill(List<String> names, String name, int size) {
        while (names.size() < size) {
            names.add(name);
        }
    }

    private VectorResult apply(OperationVector vector) {
        try {
            return Refusals.named(
                    new Path(staged.keySet().iterator().next()),
                    () -> files.bdt().apply(vector));
        } catch (IOException e) {
            return known(e);
        }
    }

    /** Returns the result of a vector whose answer is lost, if the files of a table tell it. */
    private VectorResult known(IOException failure) {
        try {
            for (StagedTable each : staged.values()) {
                if (each.isChanged()) {
                    if (each.isMoved()) {
                        return new VectorResult.Applied(0);
                    }
                    break;
                }
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        // The vector may still be on its way: its files must stay.
        isOver = true;
        throw new CommitStateUnknownException(failure);
    }

    /** Gives up what is staged and was not applied: deletes the metadata that was written for it. Data files are the caller's. */
    @Override
    public void close() {
        if (!isOver) {
            isOver = true;
            staged.values().forEach(StagedTable::abandon);
        }
    }
}
