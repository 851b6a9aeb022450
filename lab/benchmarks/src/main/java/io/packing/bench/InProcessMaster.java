// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import com.google.common.collect.Lists;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A BDT master in this process with one mount, reached over gRPC, and a worker's session that claims files of 1,000
 * bytes.
 */
final class InProcessMaster implements AutoCloseable {
    static final FileAttributes SMALL = new FileAttributes(1_000, 1, "hdfs", "hadoop", 0644);
    /** The most claims in flight. */
    private static final int BATCH = 4_000;
    /** The offset of a blob's first file. */
    private static final int BODY_START = 16;

    private final Path directory;
    private final BdtMaster master;
    private final GrpcBdts client;
    private final Bdt mount;
    private final WorkerSession session;

    private InProcessMaster(Path directory, BdtMaster master, GrpcBdts client, Bdt mount) throws IOException {
        this.directory = directory;
        this.master = master;
        this.client = client;
        this.mount = mount;
        this.session = mount.register(new WorkerRegistration("bench", "127.0.0.1:1"));
    }

    static InProcessMaster start(String name) throws IOException {
        Path directory = Files.createTempDirectory(name);
        Path store = Files.createDirectories(directory.resolve("store"));
        BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        directory.resolve("master").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "file://" + store)))
                .serve();
        GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(60));
        Bdt mount = client.open(Map.of("packing.store", store.toUri().toString(), "packing.backup.interval", "10h"));
        return new InProcessMaster(directory, master, client, mount);
    }

    Bdt mount() {
        return mount;
    }

    WorkerSession session() {
        return session;
    }

    void apply(List<Operation> operations) throws IOException {
        VectorResult result = mount.apply(new OperationVector(List.of(), operations));
        if (!(result instanceof VectorResult.Applied)) {
            throw new IllegalStateException(result.toString());
        }
    }

    /** Claims files, and replaces existing ones; returns their versions. */
    List<FileVersion> claim(FilePath directoryOfFiles, String prefix, int count)
            throws IOException, InterruptedException, ExecutionException {
        List<FileVersion> versions = new ArrayList<>(count);
        for (int first = 0; first < count; first += BATCH) {
            List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
            for (int i = first; i < Math.min(count, first + BATCH); i++) {
                FilePath path = directoryOfFiles.child(prefix + i);
                claims.add(session.claim(new Claim(session.newFileId(), path, SMALL, true, true)));
            }
            for (CompletableFuture<ClaimResult> claim : claims) {
                if (!(claim.get() instanceof ClaimResult.Granted granted)) {
                    throw new IllegalStateException("a claim was refused");
                }
                versions.add(granted.version());
            }
        }
        return versions;
    }

    /** Reports that claimed files are in a blob, which no store has. */
    void commit(List<FileVersion> versions) throws IOException {
        int bytes = Math.toIntExact(SMALL.length());
        for (List<FileVersion> part : Lists.partition(versions, BATCH)) {
            BlobName blob = new BlobName(
                    "bench",
                    BODY_START + (long) bytes * part.size(),
                    part.get(0).id());
            List<CommittedFile> commits = new ArrayList<>();
            for (int i = 0; i < part.size(); i++) {
                Extent extent = new Extent(0, bytes, BODY_START + (long) i * bytes, bytes, Codec.NONE, i);
                commits.add(new CommittedFile(part.get(i), List.of(new BlobExtent(blob, extent))));
            }
            PushedBlob pushed = new PushedBlob(blob, blob.footerOffset());
            if (session.heartbeat(new Heartbeat(0, 0, List.of(pushed), commits))
                    .lease()
                    .isNegative()) {
                throw new IllegalStateException("a lease that has ended");
            }
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        master.close();
        Phase.deleteTree(directory);
    }
}
