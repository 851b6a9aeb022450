// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's clients of a master that names places to daemons only. They open their mounts while the store is not there. */
@Timeout(180)
final class WithoutStoreTest {
    private static final org.apache.hadoop.fs.Path SMALL = new org.apache.hadoop.fs.Path("/small");
    private static final org.apache.hadoop.fs.Path LARGE = new org.apache.hadoop.fs.Path("/large");
    private static final org.apache.hadoop.fs.Path SECRET = new org.apache.hadoop.fs.Path("/secret");
    private static final byte[] BYTES = "of alice".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path home;

    private TestAuthority authority;
    private LocalMount mount;
    private final byte[] large = new byte[9_000_000];

    private LocalMount mount(String places) throws IOException {
        IssuedCertificate daemon = authority.issue("daemon", "CN=node-1, O=packing-daemon");
        Map<String, String> ofMaster = new HashMap<>(authority.options("bdt", daemon));
        ofMaster.put("bdt.places", places);
        return LocalMount.start(home, "1h", ofMaster, authority.options("packing", daemon));
    }

    @BeforeEach
    void start() throws IOException {
        Seed.random().nextBytes(large);
        authority = TestAuthority.create(
                home.resolve("certificates"), "authority", Clock.systemUTC().instant());
        mount = mount("daemons");
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    /** Writes files as alice, and has them pushed. */
    private void write() throws IOException {
        try (FileSystem alice = files("alice")) {
            write(alice, SMALL, BYTES);
            write(alice, LARGE, large);
            write(alice, SECRET, BYTES);
            alice.setPermission(SECRET, new FsPermission((short) 0600));
        }
        mount.mount().flush();
    }

    /** Opens a mount while the store is not there, which its workers and its master have opened before. */
    private FileSystem withoutStore(Configuration configuration) throws IOException {
        Path store = home.resolve("store");
        Path away = Files.move(store, home.resolve("away"));
        try {
            FileSystem files = FileSystem.newInstance(mount.uri(), configuration);
            assertThat(files.exists(new org.apache.hadoop.fs.Path("/"))).isTrue();
            return files;
        } finally {
            Files.move(away, store);
        }
    }

    private static void write(FileSystem files, org.apache.hadoop.fs.Path path, byte[] bytes) throws IOException {
        try (FSDataOutputStream out = files.create(path, false)) {
            out.write(bytes);
        }
    }

    private Configuration configuration(String user) throws IOException {
        Configuration configuration = mount.configure(new Configuration(false));
        authority.options("packing", authority.issue(user, "CN=" + user)).forEach(configuration::set);
        return configuration;
    }

    private FileSystem files(String user) throws IOException {
        return FileSystem.newInstance(mount.uri(), configuration(user));
    }

    private static byte[] all(FileSystem files, org.apache.hadoop.fs.Path path) throws IOException {
        try (FSDataInputStream in = files.open(path)) {
            return in.readAllBytes();
        }
    }

    @Test
    void jobsReadThroughWorkers() throws Exception {
        write();
        try (FileSystem bob = withoutStore(configuration("bob"))) {
            assertThat(all(bob, SMALL)).isEqualTo(BYTES);
            assertThat(all(bob, LARGE)).isEqualTo(large);
            FileStatus[] listed = bob.listStatus(new org.apache.hadoop.fs.Path("/"));
            assertThat(Arrays.stream(listed).map(each -> each.getPath().getName()))
                    .contains("small", "large", "secret");
            try (FSDataInputStream in = bob.openFile(LARGE).build().get()) {
                in.seek(5_000_000);
                byte[] part = new byte[100_000];
                in.readFully(part);
                assertThat(part).isEqualTo(Arrays.copyOfRange(large, 5_000_000, 5_100_000));
                in.readFully(8_999_000, part, 0, 1_000);
                assertThat(Arrays.copyOf(part, 1_000)).isEqualTo(Arrays.copyOfRange(large, 8_999_000, 9_000_000));
                List<FileRange> ranges =
                        List.of(FileRange.createFileRange(10, 100), FileRange.createFileRange(7_000_000, 70_000));
                in.readVectored(ranges, ByteBuffer::allocate);
                for (FileRange range : ranges) {
                    byte[] got = new byte[range.getLength()];
                    range.getData().get().get(got);
                    int from = (int) range.getOffset();
                    assertThat(got).isEqualTo(Arrays.copyOfRange(large, from, from + got.length));
                }
            }
            assertThatExceptionOfType(AccessControlException.class)
                    .isThrownBy(() -> all(bob, SECRET))
                    .withMessageContaining("user=bob, access=READ, inode=\"/secret\":alice");
        }
    }

    @Test
    void filesAreWrittenAppendedAndCopiedWithoutTheStore() throws Exception {
        write();
        try (FileSystem alice = withoutStore(configuration("alice"))) {
            try (FSDataOutputStream out = alice.append(SMALL)) {
                out.write(BYTES);
            }
            assertThat(new String(all(alice, SMALL), StandardCharsets.UTF_8)).isEqualTo("of aliceof alice");
            org.apache.hadoop.fs.Path renamed = new org.apache.hadoop.fs.Path("/renamed");
            assertThat(alice.rename(LARGE, renamed)).isTrue();
            assertThat(all(alice, renamed)).isEqualTo(large);
        }
        // The shell of packing-fs.
        Path local = Files.write(home.resolve("local"), large);
        Path back = home.resolve("back");
        String uri = mount.uri().toString();
        assertThat(ToolRunner.run(
                        new FsShell(configuration("alice")), new String[] {"-put", local.toString(), uri + "put"}))
                .isZero();
        assertThat(ToolRunner.run(
                        new FsShell(configuration("alice")), new String[] {"-get", uri + "renamed", back.toString()}))
                .isZero();
        assertThat(Files.readAllBytes(back)).isEqualTo(large);
    }

    @Test
    void aClientThatReadsTheStoreItselfNeedsIt() throws IOException {
        mount.close();
        mount = mount("all");
        write();
        assertThatThrownBy(() -> withoutStore(configuration("bob"))).hasMessageContaining("store");
        Configuration through = configuration("bob");
        through.set("packing.read.through", "workers");
        try (FileSystem bob = withoutStore(through)) {
            assertThat(all(bob, LARGE)).isEqualTo(large);
            assertThatExceptionOfType(AccessControlException.class).isThrownBy(() -> all(bob, SECRET));
        }
    }
}
