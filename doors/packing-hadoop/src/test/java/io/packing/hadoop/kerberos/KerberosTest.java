// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.kerberos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
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

/** Hadoop's users, logged in by Kerberos, their jobs, and services that act for others. */
@Timeout(180)
final class KerberosTest {
    private static final byte[] BYTES = "of a user".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path home;

    private AuditLines audit;
    private TestKdc kdc;
    private KerberizedMount mount;

    @BeforeEach
    void start() throws Exception {
        audit = AuditLines.collect();
        kdc = TestKdc.start(home.resolve("kdc"));
        mount = KerberizedMount.start(
                home, kdc.keytab("master.keytab", KerberizedMount.SERVICE, "packing/other"), Map.of());
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
        kdc.close();
        audit.close();
    }

    private String write(Configuration configuration, String name) throws IOException {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/" + name);
        try (FileSystem files = FileSystem.newInstance(mount.uri(), configuration)) {
            try (FSDataOutputStream out = files.create(file, true)) {
                out.write(BYTES);
            }
            byte[] read = new byte[BYTES.length];
            try (FSDataInputStream in = files.open(file)) {
                in.readFully(0, read);
            }
            return files.getFileStatus(file).getOwner() + ": " + new String(read, StandardCharsets.UTF_8);
        }
    }

    private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action) throws Exception {
        return user.doAs(action);
    }

    private void isRefused(UserGroupInformation user, Configuration configuration, String why) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> as(user, () -> write(configuration, "refused")))
                .withMessageContaining(why);
    }

    private String line(String part) {
        return audit.all().stream()
                .filter(line -> line.contains(part))
                .findFirst()
                .orElse("no line has " + part);
    }

    @Test
    void aUserWithAKeytabIsThatUser() throws Exception {
        assertThat(as(kdc.login("alice"), () -> write(mount.configuration(), "a")))
                .isEqualTo("alice: of a user");
        mount.close();
        assertThat(line("cmd=login")).startsWith("allowed=true\tugi=alice (auth:KERBEROS)\tip=/127.0.0.1\tcmd=login");
        assertThat(line("cmd=getfileinfo")).contains("ugi=alice (auth:KERBEROS)");
    }

    @Test
    void theTaskOfAJobHasATokenAndYarnRenewsIt() throws Exception {
        Credentials credentials = new Credentials();
        as(kdc.login("alice"), () -> {
            try (FileSystem files = FileSystem.newInstance(mount.uri(), mount.configuration())) {
                return files.addDelegationTokens("yarn/rm.host@" + TestKdc.REALM, credentials);
            }
        });
        Token<?> token = credentials.getAllTokens().iterator().next();
        UserGroupInformation task = UserGroupInformation.createRemoteUser("alice");
        task.addCredentials(credentials);
        assertThat(as(task, () -> write(mount.configuration(), "task"))).isEqualTo("alice: of a user");

        UserGroupInformation yarn = kdc.login("yarn/rm.host");
        assertThat(as(yarn, () -> token.renew(mount.configuration())))
                .isGreaterThan(Clock.systemUTC().millis());
        UserGroupInformation mallory = kdc.login("mallory");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> as(mallory, () -> token.renew(mount.configuration())))
                .withMessageContaining("neither the user nor the renewer");
        as(yarn, () -> {
            token.cancel(mount.configuration());
            return true;
        });
        isRefused(task, mount.configuration(), "cancelled");
    }

    @Test
    void whoActsForAnotherIsNamedBesideThem() throws Exception {
        UserGroupInformation oozie = kdc.login("oozie/server");
        UserGroupInformation alice = UserGroupInformation.createProxyUser("alice", oozie);
        assertThat(as(alice, () -> write(mount.configuration(), "a"))).isEqualTo("alice: of a user");
        UserGroupInformation carol = UserGroupInformation.createProxyUser("carol", oozie);
        Credentials credentials = new Credentials();
        as(carol, () -> {
            try (FileSystem files = FileSystem.newInstance(mount.uri(), mount.configuration())) {
                return files.addDelegationTokens("yarn", credentials);
            }
        });
        Token<?> token = credentials.getAllTokens().iterator().next();
        assertThat(token.decodeIdentifier().getUser()).isNotNull();
        assertThat(Objects.requireNonNull(token.decodeIdentifier().getUser()).getShortUserName())
                .isEqualTo("carol");
        assertThat(Objects.requireNonNull(token.decodeIdentifier().getUser().getRealUser())
                        .getShortUserName())
                .isEqualTo("oozie");
        assertThat(token.decodeIdentifier().getBytes()).isEqualTo(token.getIdentifier());
        UserGroupInformation task = UserGroupInformation.createRemoteUser("carol");
        task.addCredentials(credentials);
        assertThat(as(task, () -> write(mount.configuration(), "c"))).isEqualTo("carol: of a user");
        mount.close();
        assertThat(line("cmd=login")).contains("ugi=alice (auth:PROXY) via oozie (auth:KERBEROS)");
        assertThat(line("src=/a\t")).contains("ugi=alice (auth:PROXY) via oozie (auth:KERBEROS)");
        assertThat(line("cmd=getDelegationToken")).contains("ugi=carol (auth:PROXY) via oozie (auth:KERBEROS)");
        assertThat(line("src=/c\t")).contains("ugi=carol (auth:PROXY) via oozie (auth:TOKEN)");
    }

    @Test
    void nobodyActsForOthersUnlessTheMasterSaysSo() throws Exception {
        UserGroupInformation oozie = kdc.login("oozie");
        UserGroupInformation mallory = kdc.login("mallory");
        isRefused(
                UserGroupInformation.createProxyUser("alice", mallory),
                mount.configuration(),
                "mallory may not act for alice");
        isRefused(
                UserGroupInformation.createProxyUser("bob", oozie), mount.configuration(), "oozie may not act for bob");
        isRefused(
                UserGroupInformation.createProxyUser("root", oozie),
                mount.configuration(),
                "oozie may not act for root, who is in the group supergroup");
        // Read again: from now on, not from here.
        Path unused = KerberizedMount.proxies(home, List.of("10.1.2.3", "2001:db8::/32"));
        isRefused(
                UserGroupInformation.createProxyUser("alice", oozie),
                mount.configuration(),
                "oozie may not act for others from 127.0.0.1");
        mount.close();
        assertThat(line("ugi=alice (auth:PROXY) via mallory"))
                .startsWith("allowed=false")
                .contains("cmd=login");
        assertThat(line("ugi=root (auth:PROXY) via oozie")).startsWith("allowed=false");
        assertThat(line("ugi=alice (auth:PROXY) via oozie")).startsWith("allowed=false");
    }

    @Test
    void aTicketForTheServiceOfAnotherHostIsRefused() throws Exception {
        UserGroupInformation alice = kdc.login("alice");
        // The keytab has its key, too.
        isRefused(alice, mount.configuration("packing/other@" + TestKdc.REALM), "it was made for another principal");
        isRefused(alice, mount.configuration("packing/nowhere@" + TestKdc.REALM), "packing.kerberos.principal");
        mount.close();
        assertThat(line("cmd=login")).startsWith("allowed=false\tugi=unknown (auth:KERBEROS)\tip=/127.0.0.1");
    }

    @Test
    void whoHasNoTicketIsToldToGetOne() {
        isRefused(UserGroupInformation.createRemoteUser("alice"), mount.configuration(), "kinit");
    }
}
