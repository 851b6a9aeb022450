// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.master.usergroups.UserGroups;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proxies that may act for users, and their addresses. */
final class ProxyUsersTest {
    @TempDir
    private Path home;

    private final UserGroups groups = new UserGroups() {
        @Override
        public Set<String> groups(String user) throws IOException {
            return switch (user) {
                case "alice" -> Set.of("staff", "users");
                case "root" -> Set.of("staff", "supergroup");
                case "unknown" -> throw new IOException("no directory");
                default -> Set.of();
            };
        }

        @Override
        public Duration keep() {
            return Duration.ZERO;
        }
    };

    private Path write(String... lines) throws IOException {
        Path file = Files.writeString(home.resolve("next"), String.join("\n", lines) + "\n");
        return Files.move(file, home.resolve("proxies"), StandardCopyOption.REPLACE_EXISTING);
    }

    private boolean allowed(ProxyUsers proxies, String real, String user, String from) throws IOException {
        try {
            proxies.check(real, user, groups, "supergroup", InetAddress.getByName(from));
            return true;
        } catch (RefusedLoginException e) {
            assertThat(e).hasMessageContaining(real).hasMessageContaining("bdt.proxy.users");
            return false;
        }
    }

    @Test
    void userOrGroupAndHostHaveToBeListed() throws IOException {
        ProxyUsers proxies = ProxyUsers.read(write(
                "# comment",
                "",
                "oozie.hosts = 10.0.0.7, 192.168.0.0/23,2001:db8::/32, localhost",
                "oozie.users=bob",
                "oozie.groups=users",
                "hive.server.users=*",
                "hive.server.hosts=*",
                "nohosts.users=*",
                "nobody.hosts=*"));
        assertThat(allowed(proxies, "oozie", "bob", "10.0.0.7")).isTrue();
        assertThat(allowed(proxies, "oozie", "alice", "192.168.1.255")).isTrue();
        assertThat(allowed(proxies, "oozie", "alice", "2001:db8:1::5")).isTrue();
        assertThat(allowed(proxies, "oozie", "alice", "127.0.0.1")).isTrue();
        assertThat(allowed(proxies, "oozie", "alice", "192.168.2.0")).isFalse();
        assertThat(allowed(proxies, "oozie", "alice", "2001:db9::5")).isFalse();
        assertThat(allowed(proxies, "oozie", "alice", "10.0.0.8")).isFalse();
        assertThat(allowed(proxies, "oozie", "carol", "10.0.0.7")).isFalse();
        assertThat(allowed(proxies, "hive.server", "carol", "10.9.9.9")).isTrue();
        assertThat(allowed(proxies, "nohosts", "carol", "10.9.9.9")).isFalse();
        assertThat(allowed(proxies, "nobody", "carol", "10.9.9.9")).isFalse();
        assertThat(allowed(proxies, "hive", "carol", "10.9.9.9")).isFalse();
        assertThat(allowed(ProxyUsers.NONE, "oozie", "bob", "10.0.0.7")).isFalse();
    }

    @Test
    void nobodyActsForASuperuserOrForWhomNothingIsKnown() throws IOException {
        ProxyUsers proxies = ProxyUsers.read(write("hive.users=*", "hive.hosts=*"));
        InetAddress here = InetAddress.getLoopbackAddress();
        assertThatExceptionOfType(RefusedLoginException.class)
                .isThrownBy(() -> proxies.check("hive", "root", groups, "supergroup", here))
                .withMessageContaining("nobody acts for superusers");
        assertThatExceptionOfType(RefusedLoginException.class)
                .isThrownBy(() -> proxies.check("hive", "unknown", groups, "supergroup", here))
                .withMessageContaining("no directory");
    }

    @Test
    void aChangedFileCountsAtOnceAndADamagedOneNot() throws IOException {
        ProxyUsers proxies = ProxyUsers.read(write("hive.users=bob", "hive.hosts=*"));
        assertThat(allowed(proxies, "hive", "alice", "10.0.0.7")).isFalse();
        Path unused = write("hive.users=bob,alice", "hive.hosts=*");
        assertThat(allowed(proxies, "hive", "alice", "10.0.0.7")).isTrue();
        Path unusedEither = write("hive.users");
        assertThat(allowed(proxies, "hive", "alice", "10.0.0.7")).isTrue();
    }

    @Test
    void whatIsNoListIsRefusedWithItsLine() throws IOException {
        for (String line : new String[] {
            "hive",
            "hive=bob",
            ".users=bob",
            "hive.user=bob",
            "hive.hosts=10.0.0.0/33",
            "hive.hosts=name/8",
            "a.users=b\na.users=c"
        }) {
            Path file = write(line);
            assertThatIllegalArgumentException()
                    .as(line)
                    .isThrownBy(() -> ProxyUsers.read(file))
                    .withMessageContaining("line ");
        }
    }
}
