// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.hadoop;

import io.packing.lab.load.Clients;
import io.packing.lab.load.Meter;
import io.packing.lab.load.NumberedFileContent;
import io.packing.lab.load.RunProgress;
import io.packing.lab.packing.IngestResult;
import io.packing.lab.packing.IngestSpec;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
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
 * {@link FileSystem}, and wait for each. They do so on packing and on S3A, over one S3 server. S3A has its own defaults but
 * for the address and the keys of the server.
 *
 * @param warmUp files that the packed side writes before the clock starts
 * @param scratch a folder for the files that S3A buffers
 */
public record HadoopIngest(IngestSpec spec, int warmUp, java.nio.file.Path scratch, RunProgress progress) {
    private static final long SEED = 8;

    /** A side: its name for people, its prefix of the bucket, and the root of its files. */
    private record Target(String name, String prefix, URI root) {
        /** Returns the path of a file; a thousand files share a directory. */
        Path path(String folder, long number) {
            return new Path(new Path(root), "%s/d%04d/f%09d".formatted(folder, number / 1_000, number));
        }
    }

    /** A step that makes files durable which were closed before. */
    private interface Settling {
        void run() throws IOException;
    }

    public HadoopIngest {
        if (warmUp < 0) {
            throw new IllegalArgumentException("--warm-up must not be negative");
        }
    }

    public IngestResult run(EngineRig rig) throws IOException, InterruptedException {
        Configuration configuration = configuration(rig);
        Target packing =
                new Target("Hadoop on packing", EngineRig.PACKED, URI.create("packing://" + rig.masterAddress() + "/"));
        Target s3a = new Target(
                "Hadoop on S3A",
                EngineRig.DIRECT,
                URI.create("s3a://" + S3Process.BUCKET + "/" + EngineRig.DIRECT + "/"));
        Meter.Metered packed;
        try (EngineRig.Client client = rig.client()) {
            packed = side(
                    rig,
                    packing,
                    configuration,
                    warmUp,
                    spec.files(),
                    client.mount()::flush,
                    client.mount().bdt()::checkpoint);
        }
        Meter.Metered direct =
                side(rig, s3a, configuration, IngestSpec.directWarmUp(warmUp), spec.directFiles(), () -> {}, () -> {});
        return IngestResult.of(spec, packed, direct);
    }

    private Configuration configuration(EngineRig rig) {
        Configuration configuration = new Configuration();
        rig.mountOptions().forEach(configuration::set);
        configuration.set("hadoop.tmp.dir", scratch.toString());
        configuration.set("fs.s3a.endpoint", rig.s3().endpoint().toString());
        configuration.set("fs.s3a.endpoint.region", "us-east-1");
        configuration.set("fs.s3a.access.key", rig.s3().accessKey());
        configuration.set("fs.s3a.secret.key", rig.s3().secretKey());
        configuration.set("fs.s3a.path.style.access", "true");
        configuration.set("fs.s3a.connection.ssl.enabled", "false");
        return configuration;
    }

    private Meter.Metered side(
            EngineRig rig,
            Target target,
            Configuration configuration,
            long warm,
            long count,
            Settling durable,
            Settling backedUp)
            throws IOException, InterruptedException {
        NumberedFileContent contents = new NumberedFileContent(spec.size(), SEED);
        Meter.Ingested ingested;
        try (FileSystem files = FileSystem.newInstance(target.root(), configuration)) {
            if (warm > 0) {
                each(target.name() + " warms up", warm, numbers -> write(files, target, "warm-up", contents, numbers));
                durable.run();
                backedUp.run();
            }
            Meter meter = Meter.start(rig.s3(), target.prefix());
            long start = System.nanoTime();
            each(target.name() + " writes", count, numbers -> write(files, target, "files", contents, numbers));
            durable.run();
            double seconds = (System.nanoTime() - start) / 1e9;
            // The durable files do not wait for it, but it is paid for.
            backedUp.run();
            ingested = meter.ingested(seconds);
        }
        AtomicLong verified = new AtomicLong();
        try (FileSystem files = FileSystem.newInstance(target.root(), configuration)) {
            each(
                    target.name() + " reads",
                    count,
                    numbers -> verified.addAndGet(verify(files, target, "files", contents, numbers)));
        }
        return ingested.readBack(count, spec.size(), verified.get());
    }

    private void each(String part, long files, Clients.Work work) throws IOException, InterruptedException {
        try (RunProgress.Files told = progress.begins(part, files)) {
            Clients.run(spec.clients(), files, told::stepBy, work);
        }
    }

    private static void write(
            FileSystem files, Target target, String folder, NumberedFileContent contents, Clients.Numbers numbers)
            throws IOException {
        for (long number = numbers.next(); number >= 0; number = numbers.next()) {
            try (FSDataOutputStream out = files.create(target.path(folder, number))) {
                out.write(contents.of(number).array());
            }
        }
    }

    private long verify(
            FileSystem files, Target target, String folder, NumberedFileContent contents, Clients.Numbers numbers)
            throws IOException {
        long verified = 0;
        for (long number = numbers.next(); number >= 0; number = numbers.next()) {
            try (FSDataInputStream in = files.open(target.path(folder, number))) {
                // One byte more than a file should have.
                byte[] bytes = in.readNBytes(spec.size() + 1);
                verified += contents.matches(number, ByteBuffer.wrap(bytes)) ? 1 : 0;
            }
        }
        return verified;
    }
}
