// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
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

/** A job's tokens, as Hadoop gets, carries, renews and cancels them. */
@Timeout(120)
final class DelegationTokenTest {
    private static final byte[] BYTES = "of a task".getBytes(StandardCharsets.UTF_8);
    private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/out/part-0");

    @TempDir
    private Path home;

    private TestAuthority authority;
    private LocalMount mount;

    @BeforeEach
    void start() throws IOException {
        authority = TestAuthority.create(
                home.resolve("certificates"), "authority", Clock.systemUTC().instant());
        IssuedCertificate daemon = authority.issue("daemon", "CN=node-1, O=packing-daemon");
        mount = LocalMount.start(home, "1h", authority.options("bdt", daemon), authority.options("packing", daemon));
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    /** Returns the configuration of a machine on which a user, or YARN, has a certificate. */
    private Configuration certified(String user) throws IOException {
        Configuration configuration = mount.configure(new Configuration(false));
        authority.options("packing", authority.issue(user, "CN=" + user)).forEach(configuration::set);
        return configuration;
    }

    /**
     * Returns the configuration of a container: the authority to believe, and a certificate that is on another machine.
     */
    private Configuration container() {
        Configuration configuration = mount.configure(new Configuration(false));
        authority
                .options("packing", new IssuedCertificate(home.resolve("elsewhere.crt"), home.resolve("elsewhere.key")))
                .forEach(configuration::set);
        return configuration;
    }

    private Credentials jobCredentials() throws IOException {
        Credentials credentials = new Credentials();
        try (FileSystem files = FileSystem.newInstance(mount.uri(), certified("alice"))) {
            Token<?>[] added = Objects.requireNonNull(files.addDelegationTokens("yarn", credentials));
            assertThat(added).hasSize(1);
            // They are asked for once for each file system of a job.
            assertThat(files.addDelegationTokens("yarn", credentials)).isEmpty();
        }
        return credentials;
    }

    private <T> T asTask(Credentials credentials, PrivilegedExceptionAction<T> task) throws Exception {
        UserGroupInformation user = UserGroupInformation.createRemoteUser("alice");
        user.addCredentials(credentials);
        return user.doAs(task);
    }

    private String write() throws IOException {
        try (FileSystem files = FileSystem.newInstance(mount.uri(), container())) {
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
    void aTaskWithAJobsTokenIsTheJobsUser() throws Exception {
        assertThat(asTask(jobCredentials(), this::write)).isEqualTo("alice: of a task");
    }

    @Test
    void aTaskWithoutATokenIsNobody() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> asTask(new Credentials(), this::write))
                .withMessageContaining("elsewhere.crt");
    }

    @Test
    void hadoopKnowsWhatATokenSays() throws Exception {
        Token<?> token = jobCredentials().getAllTokens().iterator().next();
        assertThat(token.decodeIdentifier()).isInstanceOf(PackingTokenIdentifier.class);
        assertThat(Objects.requireNonNull(token.decodeIdentifier().getUser()).getShortUserName())
                .isEqualTo("alice");
        assertThat(token.decodeIdentifier().getBytes()).isEqualTo(token.getIdentifier());
        assertThat(token.decodeIdentifier().toString()).contains("alice", "yarn");
        assertThat(token.isManaged()).isTrue();
    }

    @Test
    void theRenewerRenewsAndCancelsAndNobodyElse() throws Exception {
        Credentials credentials = jobCredentials();
        Token<?> token = credentials.getAllTokens().iterator().next();
        assertThat(token.renew(certified("yarn")))
                .isGreaterThan(Clock.systemUTC().millis());
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> token.renew(certified("mallory")))
                .withMessageContaining("neither the user nor the renewer");
        token.cancel(certified("yarn"));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> asTask(credentials, this::write))
                .withMessageContaining("cancelled");
    }

    @Test
    void withoutTlsThereAreNoTokens() throws Exception {
        mount.close();
        try (LocalMount open = LocalMount.start(home.resolve("open"), "1h");
                FileSystem files = FileSystem.newInstance(open.uri(), open.configure(new Configuration(false)))) {
            assertThat(files.getCanonicalServiceName()).isNull();
            assertThat(files.getDelegationToken("yarn")).isNull();
            assertThat(files.addDelegationTokens("yarn", new Credentials())).isEmpty();
        }
        start();
    }
}
