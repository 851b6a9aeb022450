// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.tree.TreeRestore;
import io.packing.blob.FilePath;
import io.packing.store.ObjectStores;
import io.packing.worker.api.AtomicOutput;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The example of docs/java-client.md, which has the lines between the marks as they stand here. */
final class JavaClientExample {
    private JavaClientExample() {}

    static void run(String masterAddress, String store) throws IOException {
        // begin
        MountOptions options = MountOptions.from(Map.of("packing.store", store));
        try (GrpcBdts master = GrpcBdts.connect(masterAddress, Duration.ofSeconds(10));
                PackingFileSystem mount =
                        RemotePackingFileSystem.open(master, options, ObjectStores::open, Writers.preferHost(""))) {
            Bdt table = mount.bdt();
            FilePath directory = new FilePath("/data");
            FilePath report = directory.child("report");
            FilePath copy = directory.child("copy");

            // A new file: it appears, complete, when its output is closed.
            CreateOptions create = new CreateOptions("alice", "staff", 0644, true, false);
            try (PackingOutput out = mount.create(report, create)) {
                out.write("first draft".getBytes(UTF_8));
            }

            // A snapshot: from now on /data/.snapshot/monday shows what is here now.
            applied(table.apply(OperationVector.of(new Operation.TakeSnapshot(directory, "monday"))));

            // A write at an offset of a file that is there, all of it when the output is closed.
            try (AtomicOutput out = mount.writeAt(report, 0)) {
                out.write("final".getBytes(UTF_8));
            }

            // A vector: all of it, or nothing if another client changed the report meanwhile.
            FileStatus seen = table.stat(report).orElseThrow();
            applied(table.apply(new OperationVector(
                    List.of(new Precondition.SameVersion(report, seen.version()), new Precondition.Absent(copy)),
                    List.of(
                            new Operation.CloneFile(report, copy, false, AttributeChange.NONE),
                            new Operation.DeleteRange(new ByteRange(report, 0, 6))))));

            // A clone on condition: true when both have the same bytes, which they share from now on.
            boolean shared = mount.cloneIfEqual(new ByteRange(report, 6, 5), copy, 6);
            System.out.println(shared ? "the last word is stored once" : "the last words differ");

            // Reads are at positions.
            try (PackingInput in = mount.open(copy)) {
                ByteBuffer bytes = ByteBuffer.allocate(5);
                while (bytes.hasRemaining() && in.read(bytes.position(), bytes) > 0) {
                    // Reads on: a read may return fewer bytes.
                }
                System.out.println(new String(bytes.array(), UTF_8));
            }

            // Back to monday: the report has its first bytes again, and the copy is gone.
            int operations =
                    TreeRestore.restore(table, directory.child(".snapshot").child("monday"), directory);
            System.out.println(operations + " operations undid the rest");
        }
        // end
    }

    // begin
    static void applied(VectorResult result) throws IOException {
        if (result instanceof VectorResult.Refused refused) {
            // Nothing has changed. The index counts preconditions or operations, as the kind says.
            throw new IOException("%s %d: %s".formatted(refused.kind(), refused.index(), refused.reason()));
        }
    }
    // end
}
