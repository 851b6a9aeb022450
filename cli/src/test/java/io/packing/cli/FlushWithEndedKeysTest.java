// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker whose keys of the store end while it runs: files wait, a flush says why, and new keys push them all. */
@Timeout(180)
class FlushWithEndedKeysTest {
    @TempDir
    private Path home = Path.of("");

    /** Writes a file of keys as the tool that renews them does. */
    private Path keys(String name, String access, String secret) throws IOException {
        Path file = home.resolve(name);
        Path next = Files.writeString(
                home.resolve(name + ".new"),
                "[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n".formatted(access, secret));
        return Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void write(PackingFileSystem mount, String path) throws IOException {
        try (PackingOutput out =
                mount.create(new FilePath(path), new CreateOptions("hdfs", "hadoop", 0644, true, true))) {
            out.write(path.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Flushes by a command that has good keys of its own, since it opens the store, too. */
    private static CommandRun flush(String uri, Path keys) {
        return CommandRun.of("flush", uri, "--wait", "0s", "--option", "packing.s3.credentials.file=" + keys);
    }

    @Test
    void filesWaitUntilTheKeysAreGoodAgainAndNoneIsLost() throws Exception {
        Path own = keys("own", "access", "secret");
        Path masters = keys("masters", "access", "secret");
        try (S3Server s3 = S3Server.start(S3ServerOptions.of(Files.createDirectory(home.resolve("s3")), "bucket"));
                BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                                "bdt.data.dir",
                                home.resolve("bdt").toString(),
                                "bdt.port",
                                "0",
                                "bdt.stores",
                                "s3://bucket@" + s3.endpoint(),
                                "bdt.s3.credentials.file",
                                masters.toString())))
                        .serve();
                PackingWorker worker = PackingWorker.start(
                        new WorkerOptions("w1", home.resolve("buffer"), "127.0.0.1", 0),
                        master,
                        ObjectStores::open,
                        Clock.systemUTC(),
                        new SimpleMeterRegistry())) {
            PackingFileSystem mount = worker.open(MountOptions.from(Map.of(
                    "packing.store", "s3://bucket/p",
                    "packing.s3.endpoint", s3.endpoint().toString(),
                    "packing.s3.credentials.file", own.toString(),
                    "packing.seal.after", "1h",
                    "packing.seal.quiet", "0s",
                    "packing.flush.timeout", "1s")));
            String uri = "packing://127.0.0.1:%d/".formatted(master.port());
            keys("own", "nobody", "secret");
            write(mount, "/f");
            CommandRun run = flush(uri, masters);
            assertThat(run.exitCode()).isNotEqualTo(ExitCodes.OK);
            assertThat(run.err() + run.out())
                    .contains("credentials refused", "profile default in " + own, "Next: check the keys");
            keys("own", "access", "secret");
            while (run.exitCode() != ExitCodes.OK) {
                run = flush(uri, masters);
            }
            assertThat(CommandRun.of("locate", uri + "f").out()).contains("/f: packed");
        }
    }
}
