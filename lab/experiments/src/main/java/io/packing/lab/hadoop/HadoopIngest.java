// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.hadoop;

import io.packing.lab.direct.DirectStore;
import io.packing.lab.load.Clients;
import io.packing.lab.load.Meter;
import io.packing.lab.load.NumberedFileContent;
import io.packing.lab.load.RunProgress;
import io.packing.lab.packing.DirectIngest;
import io.packing.lab.packing.IngestResult;
import io.packing.lab.packing.IngestSpec;
import io.packing.lab.packing.TurnPlan;
import io.packing.rig.EngineRig;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The ingest experiment (§8, Table 1) at Hadoop's door: threads create, write and close small files through Hadoop's
 * {@link FileSystem} on packing, and wait for each. S3A is beside it, over one S3 server.
 *
 * @param warmUp files that the packed side writes before the clock starts
 */
public record HadoopIngest(IngestSpec spec, TurnPlan plan, long warmUp, RunProgress progress) {
    private static final long SEED = 8;
    private static final String NAME = "Hadoop on packing";
    private static final String WARM_UP = "warm-up";

    public HadoopIngest {
        if (warmUp < 0) {
            throw new IllegalArgumentException("--warm-up must not be negative");
        }
    }

    /** Measures all runs. */
    public IngestResult run(EngineRig rig, DirectStore directs) throws IOException, InterruptedException {
        DirectIngest direct = new DirectIngest(spec, IngestSpec.directWarmUp(warmUp), DirectIngest.Pace.NONE, progress);
        return plan.play(spec, turn -> packed(rig, turn), kind -> direct.run(rig.s3(), directs, kind));
    }

    private Meter.Metered packed(EngineRig rig, int turn) throws IOException, InterruptedException {
        URI root = URI.create("packing://" + rig.masterAddress() + "/");
        Configuration configuration = new Configuration();
        rig.mountOptions().forEach(configuration::set);
        NumberedFileContent contents = new NumberedFileContent(spec.size(), SEED);
        Path folder = new Path(new Path(root), "files-" + turn);
        Meter.Ingested ingested;
        try (EngineRig.Client client = rig.client();
                FileSystem files = FileSystem.newInstance(root, configuration)) {
            if (turn == 0 && warmUp > 0) {
                Path warm = new Path(new Path(root), WARM_UP);
                each(NAME + " warms up", warmUp, numbers -> write(files, warm, contents, numbers));
                client.mount().flush();
                remove(files, warm, client);
            }
            Meter meter = Meter.start(rig.s3(), EngineRig.PACKED);
            long start = System.nanoTime();
            each(NAME + " writes", spec.files(), numbers -> write(files, folder, contents, numbers));
            double acknowledged = (System.nanoTime() - start) / 1e9;
            client.mount().flush();
            double seconds = (System.nanoTime() - start) / 1e9;
            // The durable files do not wait for it, but it is paid for.
            client.mount().bdt().checkpoint();
            ingested = meter.ingested(acknowledged, seconds);
        }
        AtomicLong verified = new AtomicLong();
        try (EngineRig.Client client = rig.client();
                FileSystem files = FileSystem.newInstance(root, configuration)) {
            each(
                    NAME + " reads",
                    spec.files(),
                    numbers -> verified.addAndGet(verify(files, folder, contents, numbers)));
            if (turn + 1 < plan.packedRuns()) {
                // The next run finds the mount as this one did.
                remove(files, folder, client);
            }
        }
        return ingested.readBack(spec.files(), spec.size(), verified.get());
    }

    /** Deletes a directory, and backs the table up without it. */
    private void remove(FileSystem files, Path directory, EngineRig.Client client) throws IOException {
        progress.accept("removing " + directory.getName());
        if (!files.delete(directory, true)) {
            throw new IOException("cannot delete " + directory);
        }
        client.mount().bdt().checkpoint();
    }

    private void each(String part, long files, Clients.Work work) throws IOException, InterruptedException {
        try (RunProgress.Files told = progress.begins(part, files)) {
            Clients.run(spec.clients(), files, told::stepBy, work);
        }
    }

    /** Returns the path of a file; a thousand files share a directory. */
    private static Path path(Path folder, long number) {
        return new Path(folder, "d%04d/f%09d".formatted(number / 1_000, number));
    }

    private static void write(FileSystem files, Path folder, NumberedFileContent contents, Clients.Numbers numbers)
            throws IOException {
        for (long number = numbers.next(); number >= 0; number = numbers.next()) {
            try (FSDataOutputStream out = files.create(path(folder, number))) {
                out.write(contents.of(number).array());
            }
        }
    }

    private long verify(FileSystem files, Path folder, NumberedFileContent contents, Clients.Numbers numbers)
            throws IOException {
        long verified = 0;
        for (long number = numbers.next(); number >= 0; number = numbers.next()) {
            try (FSDataInputStream in = files.open(path(folder, number))) {
                // One byte more than a file should have.
                byte[] bytes = in.readNBytes(spec.size() + 1);
                verified += contents.matches(number, ByteBuffer.wrap(bytes)) ? 1 : 0;
            }
        }
        return verified;
    }
}
