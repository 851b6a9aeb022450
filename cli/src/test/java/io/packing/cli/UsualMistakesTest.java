// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes that new users make: each error names its cause and the next step, in three lines at most. */
@Timeout(120)
@Tag("process")
class UsualMistakesTest {
    private static final String CLOSED_PORT = "127.0.0.1:1";

    @TempDir
    Path home;

    private static CommandRun run(String... words) {
        return CommandRun.of(Map.of(Contexts.FILE_VARIABLE, "/nowhere"), words);
    }

    /** @param parts of the message: the cause, then the next step */
    private static void refused(CommandRun run, int exitCode, String... parts) {
        assertThat(run.err()).contains(parts);
        assertThat(run.err().lines().count()).as(run.err()).isLessThanOrEqualTo(3);
        assertThat(run.err()).doesNotContain("Exception", "\tat ");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
    }

    private BdtMaster master(Map<String, String> more) throws IOException {
        Map<String, String> options = new HashMap<>(Map.of(
                "bdt.data.dir",
                home.resolve("bdt").toString(),
                "bdt.port",
                "0",
                "bdt.stores",
                home.toUri().toString()));
        options.putAll(more);
        return BdtMaster.start(BdtMasterOptions.from(options)).serve();
    }

    private static CommandRun create(BdtMaster master, String... words) {
        String[] all = new String[words.length + 3];
        all[0] = "mounts";
        all[1] = "create";
        all[2] = "packing://127.0.0.1:" + master.port() + "/";
        System.arraycopy(words, 0, all, 3, words.length);
        return run(all);
    }

    @Test
    void aCommandGivesUpWithinFiveSeconds() {
        assertThat(MasterTarget.patience(Map.of(), Optional.empty())).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void aWrongHost() {
        refused(
                run("ls", "--timeout", "1s", "packing://no-such-host.invalid/"),
                ExitCodes.UNAVAILABLE,
                "no-such-host.invalid:19990",
                "unknown host",
                "Check");
    }

    @Test
    void aWrongPort() {
        refused(
                run("ls", "--timeout", "1s", "packing://" + CLOSED_PORT + "/"),
                ExitCodes.UNAVAILABLE,
                CLOSED_PORT,
                "Connection refused",
                "Check that it runs");
    }

    /** The waits are tested beside the client: the first line comes between two and four seconds after the start. */
    @Test
    void aWorkerSaysThatItWaitsForAMasterBeforeItGivesUp() {
        CommandRun run = run(
                "worker",
                "packing://" + CLOSED_PORT + "/",
                "--id",
                "w1",
                "--buffer-dir",
                home.resolve("buffer").toString(),
                "--option",
                "packing.master.timeout=8s");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.UNAVAILABLE);
        assertThat(run.err().lines())
                .first()
                .asString()
                .contains("no BDT master at " + CLOSED_PORT, "Connection refused", "Check that it runs");
        assertThat(run.err().lines().filter(line -> line.contains("no BDT master")))
                .hasSize(1);
    }

    @Test
    void aMissingStore() throws IOException {
        try (BdtMaster master = master(Map.of())) {
            refused(
                    create(master, "--store", home.resolve("none").toUri().toString()),
                    ExitCodes.FAILED,
                    "there is no directory " + home.resolve("none"),
                    "create it or fix the path");
            assertThat(home.resolve("none")).doesNotExist();
        }
    }

    @Test
    void wrongKeys() throws IOException {
        Path keys = Files.writeString(
                home.resolve("keys"), "[default]\naws_access_key_id = wrong\naws_secret_access_key = wrong\n");
        try (S3Server s3 = S3Server.start(S3ServerOptions.of(Files.createDirectory(home.resolve("s3")), "bucket"));
                BdtMaster master = master(Map.of(
                        "bdt.stores", "s3://bucket@" + s3.endpoint(), "bdt.s3.credentials.file", keys.toString()))) {
            refused(
                    create(master, "--store", "s3://bucket/p", "--option", "packing.s3.endpoint=" + s3.endpoint()),
                    ExitCodes.FAILED,
                    "s3://bucket/p",
                    "credentials refused",
                    "check the keys");
        }
    }

    @Test
    void aMissingBucket() throws IOException {
        try (S3Server s3 = S3Server.start(S3ServerOptions.of(Files.createDirectory(home.resolve("s3")), "bucket"))) {
            Path keys = Files.writeString(
                    home.resolve("keys"),
                    "[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n".formatted("access", "secret"));
            try (BdtMaster master = master(
                    Map.of("bdt.stores", "s3://other@" + s3.endpoint(), "bdt.s3.credentials.file", keys.toString()))) {
                refused(
                        create(master, "--store", "s3://other/p", "--option", "packing.s3.endpoint=" + s3.endpoint()),
                        ExitCodes.FAILED,
                        "there is no bucket other",
                        "create bucket other or fix packing.store");
            }
        }
    }

    @Test
    void aStoreThatTheMasterMayNotUse() throws IOException {
        Path other = Files.createTempDirectory("other");
        try (BdtMaster master = master(Map.of())) {
            refused(
                    create(master, "--store", other.toUri().toString()),
                    ExitCodes.USAGE,
                    "may not use",
                    "packing bdt-master --store");
        } finally {
            Files.delete(other);
        }
    }

    @Test
    void aWrongPath() throws IOException {
        try (CommandMount mount = CommandMount.start(home)) {
            refused(run("cat", mount.uri() + "none"), ExitCodes.NOT_FOUND, "/none", "no such file");
        }
    }

    @Test
    void aFullDisk() throws IOException {
        Path store = Files.createDirectory(home.resolve("store"));
        try (BdtMaster master = master(Map.of("bdt.min.free.disk.bytes", "1000TB"))) {
            CommandRun full = create(master, "--store", store.toUri().toString(), "--timeout", "10s");
            assertThat(full.exitCode()).isNotZero();
            refused(full, full.exitCode(), home.resolve("bdt").toString(), "free some space");
        }
    }

    @Test
    void anOldJava() throws IOException, InterruptedException {
        Path bin = Files.createDirectories(home.resolve("java/bin"));
        Path java = Files.writeString(bin.resolve("java"), "#!/bin/sh\necho 'openjdk version \"11.0.22\"' >&2\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        ProcessBuilder builder =
                new ProcessBuilder("sh", "../dist/src/main/bin/packing", "ls").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", home.resolve("java").toString());
        Process process = builder.start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        refused(
                new CommandRun(process.waitFor(), "", told),
                ExitCodes.FAILED,
                "needs Java 17 or newer",
                "11.0.22",
                "set JAVA_HOME");
    }

    @Test
    void aMisspeltOption() {
        refused(
                run("ls", "--timout", "1s", "packing://h/"),
                ExitCodes.USAGE,
                "unknown option --timout; did you mean --timeout?",
                "packing ls --help");
        refused(
                run("ls", "--option", "packing.thread=2", "packing://h/"),
                ExitCodes.USAGE,
                "'packing.thread'",
                "did you mean 'packing.threads'?");
        refused(
                run("snapshto", "list"),
                ExitCodes.USAGE,
                "unknown command snapshto; did you mean snapshot?",
                "packing --help");
        refused(
                run("quota", "sett"),
                ExitCodes.USAGE,
                "unknown command sett; did you mean set?",
                "packing quota --help");
        refused(run("put"), ExitCodes.USAGE, "LOCAL", "packing put --help");
    }

    @Test
    void aSecondWorkerWithOneId() throws IOException {
        try (CommandMount mount = CommandMount.start(home)) {
            CommandRun second = run(
                    "worker",
                    mount.uri(),
                    "--id",
                    "w1",
                    "--port",
                    "0",
                    "--buffer-dir",
                    home.resolve("other").toString());
            refused(
                    second,
                    ExitCodes.FAILED,
                    "worker id 'w1' is in use by a live process at",
                    "start this one with another id");
            CommandRun locked = run(
                    "worker",
                    mount.uri(),
                    "--id",
                    "w2",
                    "--port",
                    "0",
                    "--buffer-dir",
                    home.resolve("buffer").toString());
            refused(locked, ExitCodes.FAILED, home.resolve("buffer").toString(), "configure another directory");
        }
    }

    @Test
    void aSecondWorkerAtOnePort() throws IOException {
        try (CommandMount mount = CommandMount.start(home)) {
            String taken = mount.bdt().workers().get(0).address().replaceAll(".*:", "");
            refused(
                    run(
                            "worker",
                            mount.uri(),
                            "--id",
                            "w2",
                            "--port",
                            taken,
                            "--buffer-dir",
                            home.resolve("other").toString()),
                    ExitCodes.FAILED,
                    "cannot listen on 127.0.0.1:" + taken,
                    "--port");
        }
    }
}
