// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.kerberos;

import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.hadoop.LocalMount;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** A mount whose master knows users by Kerberos, with an audit log. */
public final class KerberizedMount implements AutoCloseable {
    public static final String SERVICE = "packing/127.0.0.1";

    private final Path home;
    private final LocalMount mount;
    private final TestAuthority authority;
    private boolean closed;

    private KerberizedMount(Path home, LocalMount mount, TestAuthority authority) {
        this.home = home;
        this.mount = mount;
        this.authority = authority;
    }

    /**
     * Starts one.
     *
     * @param more options of the master
     */
    public static KerberizedMount start(Path home, Path keytab, Map<String, String> more) throws IOException {
        TestAuthority authority = TestAuthority.create(
                home.resolve("certificates"), "authority", Clock.systemUTC().instant());
        IssuedCertificate daemon = authority.issue("daemon", "CN=node-1, O=packing-daemon");
        Map<String, String> ofMaster = new HashMap<>(authority.options("bdt", daemon));
        ofMaster.put("bdt.kerberos.principal", SERVICE + "@" + TestKdc.REALM);
        ofMaster.put("bdt.kerberos.keytab", keytab.toString());
        ofMaster.put("bdt.audit", "true");
        ofMaster.put(
                "bdt.groups",
                Files.writeString(home.resolve("groups"), "staff:x:1:carol\nsupergroup:x:2:root\n")
                        .toString());
        ofMaster.put("bdt.proxy.users", proxies(home, List.of("127.0.0.0/8")).toString());
        ofMaster.putAll(more);
        LocalMount mount = LocalMount.start(home, "1h", ofMaster, authority.options("packing", daemon));
        return new KerberizedMount(home, mount, authority);
    }

    /**
     * Writes a list in which oozie acts for alice, root and members of staff, from these hosts; mallory is not in it.
     */
    static Path proxies(Path home, List<String> hosts) throws IOException {
        return Files.write(
                home.resolve("proxies"),
                List.of(
                        "# who acts for whom",
                        "oozie.hosts=" + String.join(",", hosts),
                        "oozie.users=alice,root",
                        "oozie.groups=staff"));
    }

    URI uri() {
        return mount.uri();
    }

    public String address() {
        return mount.uri().getAuthority();
    }

    Path home() {
        return home;
    }

    public TestAuthority authority() {
        return authority;
    }

    /** Returns the core-site.xml of all clients: the authority to believe, and the master's principal. */
    Configuration configuration() {
        return configuration("packing/_HOST@" + TestKdc.REALM);
    }

    Configuration configuration(String principal) {
        Configuration configuration = mount.configure(new Configuration(false));
        configuration.set("packing.tls.trust", authority.certificate().toString());
        configuration.set("packing.kerberos.principal", principal);
        configuration.set("packing.master.timeout", "20s");
        return configuration;
    }

    /** Afterwards the audit log has all of its lines. A second time does nothing. */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            mount.close();
        }
    }
}
