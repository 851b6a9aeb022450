// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.process.Await;
import io.packing.process.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Hadoop job whose mounts two groups of masters have: it gets one token, of the group that its configuration names. */
@Timeout(180)
final class JobOfTwoGroupsTest {
    private static final byte[] BYTES = "of a task".getBytes(StandardCharsets.UTF_8);
    private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/out/part-0");

    @TempDir
    private Path home;

    private TestAuthority authority;
    private LocalMount one;
    private LocalMount two;

    @BeforeEach
    void start() throws IOException {
        authority = TestAuthority.create(
                home.resolve("certificates"), "authority", Clock.systemUTC().instant());
        List<Integer> ports = Ports.free(2);
        one = start("one", ports.get(0), ports);
        two = start("two", ports.get(1), ports);
    }

    private LocalMount start(String group, int port, List<Integer> ports) throws IOException {
        IssuedCertificate daemon = authority.issue(group, "CN=node-1, O=packing-daemon, O=packing-master");
        Map<String, String> ofMaster = new HashMap<>(authority.options("bdt", daemon));
        ofMaster.put("bdt.port", Integer.toString(port));
        ofMaster.put("bdt.stores", "file://" + home);
        ofMaster.put("bdt.mounts.group", group);
        ofMaster.put("bdt.mounts.groups", "one=127.0.0.1:%d,two=127.0.0.1:%d".formatted(ports.get(0), ports.get(1)));
        return LocalMount.start(home.resolve(group), "1h", ofMaster, authority.options("packing", daemon));
    }

    @AfterEach
    void stop() throws IOException {
        two.close();
        one.close();
    }

    /**
     * Returns the configuration of a container: the authority to believe, and a certificate that is on another machine.
     */
    private Configuration container(LocalMount mount) {
        Configuration configuration = mount.configure(new Configuration(false));
        authority
                .options("packing", new IssuedCertificate(home.resolve("elsewhere.crt"), home.resolve("elsewhere.key")))
                .forEach(configuration::set);
        return configuration;
    }

    private static <T> T asTask(Credentials credentials, PrivilegedExceptionAction<T> task)
            throws IOException, InterruptedException {
        UserGroupInformation user = UserGroupInformation.createRemoteUser("alice");
        user.addCredentials(credentials);
        return user.doAs(task);
    }

    /** Writes a file by the address of the first group, whichever group has the mount. */
    private String write(LocalMount mount) throws IOException {
        try (FileSystem files = FileSystem.newInstance(one.uri(), container(mount))) {
            try (FSDataOutputStream out = files.create(FILE, true)) {
                out.write(BYTES);
            }
            byte[] read = new byte[BYTES.length];
            try (FSDataInputStream in = files.open(FILE)) {
                in.readFully(0, read);
            }
            return files.getFileStatus(FILE).getOwner() + ": " + new String(read, StandardCharsets.UTF_8);
        }
    }

    @Test
    void oneTokenIsEnoughForMountsOfTwoGroups() throws Exception {
        Configuration certified = one.configure(new Configuration(false));
        authority.options("packing", authority.issue("alice", "CN=alice")).forEach(certified::set);
        Credentials credentials = new Credentials();
        try (FileSystem files = FileSystem.newInstance(one.uri(), certified)) {
            assertThat(Objects.requireNonNull(files.addDelegationTokens("yarn", credentials)))
                    .hasSize(1);
        }
        assertThat(asTask(credentials, () -> write(one))).isEqualTo("alice: of a task");
        Await.until("the other group has heard of the token's key", () -> {
            try {
                return asTask(credentials, () -> write(two)).equals("alice: of a task");
            } catch (IOException e) {
                assertThat(e).hasStackTraceContaining("known");
                return false;
            }
        });
        // YARN asks the master that the token names.
        Token<?> token = credentials.getAllTokens().iterator().next();
        Configuration yarn = two.configure(new Configuration(false));
        authority.options("packing", authority.issue("yarn", "CN=yarn")).forEach(yarn::set);
        assertThat(token.renew(yarn)).isGreaterThan(Clock.systemUTC().millis());
        token.cancel(yarn);
        Await.until("the other group refuses it", () -> {
            try {
                return asTask(credentials, () -> write(two)).isEmpty();
            } catch (IOException e) {
                assertThat(e).hasStackTraceContaining("cancelled");
                return true;
            }
        });
    }
}
