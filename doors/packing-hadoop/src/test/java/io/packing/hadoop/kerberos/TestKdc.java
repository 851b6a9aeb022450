// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.kerberos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;

/** Hadoop's KDC in this JVM, and Hadoop with its security on. */
public final class TestKdc implements AutoCloseable {
    public static final String REALM = "EXAMPLE.COM";

    private final MiniKdc kdc;
    private final Path directory;

    private TestKdc(MiniKdc kdc, Path directory) {
        this.kdc = kdc;
        this.directory = directory;
    }

    public static TestKdc start(Path directory) throws Exception {
        Properties settings = MiniKdc.createConf();
        MiniKdc kdc = new MiniKdc(settings, Files.createDirectories(directory).toFile());
        kdc.start();
        Configuration secured = new Configuration(false);
        secured.set("hadoop.security.authentication", "kerberos");
        UserGroupInformation.setConfiguration(secured);
        return new TestKdc(kdc, directory);
    }

    /** Makes principals of the realm, and a keytab of all of them. */
    public Path keytab(String file, String... principals) throws Exception {
        Path keytab = directory.resolve(file);
        kdc.createPrincipal(keytab.toFile(), principals);
        return keytab;
    }

    /** Makes a principal, and logs it in. */
    UserGroupInformation login(String principal) throws Exception {
        Path keytab = keytab(principal.replace('/', '_') + ".keytab", principal);
        return login(principal, keytab);
    }

    static UserGroupInformation login(String principal, Path keytab) throws IOException {
        return UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal + "@" + REALM, keytab.toString());
    }

    @Override
    public void close() {
        kdc.stop();
        UserGroupInformation.reset();
        // MiniKdc sets this property, which is for no other test of this JVM.
        System.clearProperty("java.security.krb5.conf");
    }
}
