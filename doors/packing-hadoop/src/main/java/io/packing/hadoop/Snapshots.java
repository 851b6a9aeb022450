// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.BdtChanges;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** Snapshots of directories, as HDFS has them: they are read below {@code .snapshot}. */
final class Snapshots {
    private static final DateTimeFormatter DEFAULT_NAME =
            DateTimeFormatter.ofPattern("'s'yyyyMMdd-HHmmss.SSS", Locale.ROOT);

    private final BdtChanges bdt;
    private final UserPaths paths;
    private final Clock clock;

    Snapshots(BdtChanges bdt, UserPaths paths, Clock clock) {
        this.bdt = bdt;
        this.paths = paths;
        this.clock = clock;
    }

    /** Returns the snapshots of a mount, which are named by the time of this machine. */
    static Snapshots of(BdtChanges bdt, UserPaths paths) {
        return new Snapshots(bdt, paths, Clock.system(ZoneId.systemDefault()));
    }

    /** @param name null: one by the time, as HDFS makes it */
    Path create(Path directory, @Nullable String name) throws IOException {
        String named = name == null ? DEFAULT_NAME.withZone(clock.getZone()).format(clock.instant()) : name;
        apply(directory, named, new Operation.TakeSnapshot(paths.toChange(directory), named));
        return new Path(new Path(directory, FilePath.SNAPSHOTS), named);
    }

    void rename(Path directory, String from, String to) throws IOException {
        apply(directory, from, new Operation.RenameSnapshot(paths.toChange(directory), from, to));
    }

    void delete(Path directory, String name) throws IOException {
        apply(directory, name, new Operation.DropSnapshot(paths.toChange(directory), name));
    }

    private void apply(Path directory, String name, Operation operation) throws IOException {
        if (!(bdt.apply(OperationVector.of(operation)) instanceof VectorResult.Refused refused)) {
            return;
        }
        throw switch (refused.reason()) {
            case NOT_FOUND -> new FileNotFoundException("%s or its snapshot %s not found".formatted(directory, name));
            case EXISTS -> new IOException("%s has a snapshot of that name already".formatted(directory));
            default -> Refusals.of(directory, refused.reason(), "kept as a snapshot");
        };
    }
}
