// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.Bdt;
import io.packing.bdt.TranslatedBdt;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/** A Hadoop file system's connection to its mount, for whom it is, and the tokens that jobs get for it. */
abstract class ConnectedFileSystem extends FileSystem {
    private URI uri = URI.create(PackingHadoopFileSystem.SCHEME + ":///");
    private String user = "";
    private @Nullable MountConnection connection;

    @Override
    public void initialize(URI name, Configuration configuration) throws IOException {
        super.initialize(name, configuration);
        setConf(configuration);
        if (name.getAuthority() == null) {
            throw new IOException("%s names no BDT master, want packing://HOST:PORT/".formatted(name));
        }
        uri = URI.create(PackingHadoopFileSystem.SCHEME + "://" + name.getAuthority());
        UserGroupInformation current = UserGroupInformation.getCurrentUser();
        user = current.getShortUserName();
        connection = MountConnection.open(name.getAuthority(), configuration, current);
    }

    @Override
    public String getScheme() {
        return PackingHadoopFileSystem.SCHEME;
    }

    @Override
    public URI getUri() {
        return uri;
    }

    /** Returns the user of this file system, to whom new files belong. */
    String user() {
        return user;
    }

    MountConnection connection() throws IOException {
        MountConnection open = connection;
        if (open == null) {
            throw new IOException("Filesystem closed");
        }
        return open;
    }

    RemotePackingFileSystem mount() throws IOException {
        return connection().mount();
    }

    Bdt bdt() throws IOException {
        return TranslatedBdt.of(mount().bdt(), Refusals::of);
    }

    /** Returns the name under which jobs find the token of this file system; without TLS it has none. */
    @Override
    public @Nullable String getCanonicalServiceName() {
        MountConnection open = connection;
        return open != null && open.isSecured() ? uri.toString() : null;
    }

    /** Issues a token for the user of this process's certificate or Kerberos login; without TLS there are no tokens. */
    @Override
    public @Nullable Token<?> getDelegationToken(@Nullable String renewer) throws IOException {
        MountConnection open = connection();
        return open.isSecured()
                ? DelegationToken.of(open.issue(renewer == null ? "" : renewer).text(), uri.toString())
                : null;
    }

    @Override
    public void close() throws IOException {
        super.close();
        try (MountConnection open = connection) {
            connection = null;
        }
    }
}
