// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of others on a volume: libnbd's, QEMU's, fio's and nbdkit's. */
@Tag("process")
class RealClientsIT {
    private static final long SIZE = 64 << 20;
    private static final long PATIENCE_SECONDS = 300;

    @TempDir
    Path home;

    private TestMount mount;
    private ServedVolume served;

    @BeforeEach
    void start() throws IOException {
        mount = TestMount.start(home.resolve("mount"));
        mount.files().create(TestMount.VOLUME, SIZE);
        served = new ServedVolume(mount, TestMount.VOLUME, Optional.empty());
    }

    @AfterEach
    void stop() throws IOException {
        try (TestMount after = mount) {
            served.close();
            assertTrue(after.mount().bdt().stat(TestMount.VOLUME).isPresent());
        }
    }

    private static void need(String program, String distribution) {
        boolean found = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        assumeTrue(found, "%s is missing: install %s".formatted(program, distribution));
    }

    private String run(String... words) throws IOException, InterruptedException {
        return run(List.of(words));
    }

    private String run(List<String> words) throws IOException, InterruptedException {
        Path output = Files.createTempFile(home, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
        // The distribution's Python has libnbd, and another one may come first.
        builder.environment().merge("PATH", "/usr/bin", (path, first) -> first + File.pathSeparator + path);
        Process process = builder.start();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        String text = Files.readString(output, StandardCharsets.UTF_8);
        if (!ended) {
            process.destroyForcibly();
        }
        assertTrue(ended, words + " hangs: " + text);
        assertEquals(0, process.exitValue(), words + ": " + text);
        return text;
    }

    private Path image(int bytes) throws IOException {
        byte[] random = new byte[bytes];
        Seed.random().nextBytes(random);
        // Holes in the middle.
        Arrays.fill(random, bytes / 4, bytes / 2, (byte) 0);
        return Files.write(home.resolve("image.raw"), random);
    }

    @Test
    void nbdcopyBringsBytesInAndOut() throws IOException, InterruptedException {
        need("nbdcopy", "libnbd-bin");
        Path image = image((int) SIZE);
        String unused = run("nbdcopy", "--flush", "--connections=4", image.toString(), served.uri());
        served.close();
        served = new ServedVolume(mount, TestMount.VOLUME, Optional.empty());
        Path back = home.resolve("back.raw");
        unused = run("nbdcopy", "--connections=4", served.uri(), back.toString());
        assertEquals(-1, Files.mismatch(image, back));
    }

    @Test
    void nbdinfoSeesWhatTheVolumeCan() throws IOException, InterruptedException {
        need("nbdinfo", "libnbd-bin");
        String unused = run("nbdcopy", "--flush", image(1 << 20).toString(), served.uri());
        String info = run("nbdinfo", served.uri());
        for (String line : List.of(
                "export-size: " + SIZE,
                "can_multi_conn: true",
                "can_fua: true",
                "can_fast_zero: true",
                "is_read_only: false",
                "base:allocation")) {
            assertTrue(info.contains(line), info);
        }
        assertTrue(run("nbdinfo", "--list", served.uri()).contains("export=\"v\""));
        List<String> map = run("nbdinfo", "--map", served.uri()).lines().toList();
        assertTrue(map.get(map.size() - 1).contains("hole,zero"), map.toString());
        assertTrue(map.stream().anyMatch(line -> line.contains("data")), map.toString());
    }

    @Test
    void nbdshCallsEachCommand() throws IOException, InterruptedException {
        need("nbdsh", "libnbd-bin and python3-libnbd");
        assumeTrue(
                run("sh", "-c", "python3 -c 'import nbd' 2>&1 && echo found || echo missing")
                        .contains("found"),
                "Python has no libnbd: install python3-libnbd");
        String script = """
                h.pwrite(b'a' * 8192, 4096, nbd.CMD_FLAG_FUA)
                assert h.pread(8192, 4096) == b'a' * 8192
                h.zero(4096, 4096, 0)
                h.zero(4096, 8192, nbd.CMD_FLAG_NO_HOLE)
                h.trim(4096, 65536)
                h.cache(4096, 0)
                h.flush()
                assert h.pread(8192, 4096) == bytes(8192)
                h.set_strict_mode(0)
                for bad in (lambda: h.pread(512, h.get_size()), lambda: h.pwrite(b'x' * 512, h.get_size()),
                            lambda: h.trim(512, h.get_size()), lambda: h.pread(512, 0, 1 << 12)):
                    try:
                        bad()
                        raise SystemExit('no error')
                    except nbd.Error as e:
                        assert e.errno in ('EINVAL', 'ENOSPC'), e.errno
                assert h.pread(16, 4096) == bytes(16)
                """;
        String unused = run("nbdsh", "-u", served.uri(), "-c", script);
    }

    @Test
    void qemuImgConvertsComparesAndMaps() throws IOException, InterruptedException {
        need("qemu-img", "qemu-utils");
        Path image = image((int) SIZE);
        String unused = run("qemu-img", "convert", "-n", "-f", "raw", "-O", "raw", image.toString(), served.uri());
        assertTrue(run("qemu-img", "compare", "-f", "raw", "-F", "raw", image.toString(), served.uri())
                .contains("identical"));
        String map = run("qemu-img", "map", "--output=json", "-f", "raw", served.uri());
        assertTrue(map.contains("\"zero\": true"), map);
        // A snapshot keeps what a later change takes away.
        FilePath snapshot = mount.files().snapshot(TestMount.VOLUME, "first");
        unused = run("qemu-io", "-f", "raw", "-c", "write -P 0x11 0 1M", "-c", "flush", served.uri());
        try (ServedVolume old = new ServedVolume(mount, snapshot, Optional.empty())) {
            assertTrue(run("nbdinfo", old.uri()).contains("is_read_only: true"));
            assertTrue(run("qemu-img", "compare", "-f", "raw", "-F", "raw", image.toString(), old.uri())
                    .contains("identical"));
        }
    }

    @Test
    void qemuIoWritesZeroesAndDiscards() throws IOException, InterruptedException {
        need("qemu-io", "qemu-utils");
        String output = run(
                "qemu-io",
                "-f",
                "raw",
                "-d",
                "unmap",
                "-c",
                "write -P 0xab 1M 4M",
                "-c",
                "write -z 2M 64k",
                "-c",
                "write -z -u 3M 64k",
                "-c",
                "discard 4M 512k",
                "-c",
                "aio_write -P 0xcd 8M 1M",
                "-c",
                "aio_write -P 0xce 9M 1M",
                "-c",
                "aio_flush",
                "-c",
                "flush",
                "-c",
                "read -P 0xab 1M 1M",
                "-c",
                "read -P 0 2M 64k",
                "-c",
                "read -P 0 3M 64k",
                "-c",
                "read -P 0 4M 512k",
                "-c",
                "read -P 0xcd 8M 1M",
                "-c",
                "read -P 0xce 9M 1M",
                served.uri());
        assertFalse(output.contains("failed"), output);
    }

    @Test
    void fioVerifiesRandomWrites() throws IOException, InterruptedException {
        need("fio", "fio");
        assumeTrue(run("fio", "--enghelp").contains("nbd"), "fio has no engine for NBD");
        String output = run(
                "fio",
                "--name=verify",
                "--ioengine=nbd",
                "--uri=" + served.uri(),
                "--rw=randwrite",
                "--bsrange=512-64k",
                "--blockalign=512",
                "--iodepth=16",
                "--size=32M",
                "--verify=crc32c",
                "--verify_fatal=1",
                "--do_verify=1",
                "--verify_state_save=0",
                "--fsync=64",
                "--randseed=" + Seed.value());
        assertTrue(output.contains("err= 0"), output);
    }

    @Test
    void nbdkitServesItAgain() throws IOException, InterruptedException {
        need("nbdkit", "nbdkit");
        Path image = image(4 << 20);
        String unused = run("nbdcopy", "--flush", image.toString(), served.uri());
        // Its filter for copies on write reads by our server.
        unused = run(
                "nbdkit",
                "-U",
                "-",
                "--filter=cow",
                "nbd",
                served.uri(),
                "--run",
                "qemu-io -f raw -c 'write -P 0x77 0 1M' -c 'read -P 0x77 0 1M' \"$uri\" && nbdinfo --size \"$uri\"");
        Path back = home.resolve("back.raw");
        unused = run("nbdcopy", served.uri(), back.toString());
        assertEquals(Files.size(image), Files.mismatch(image, back));
    }
}
