// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.contract;

import io.packing.hadoop.LocalMount;
import io.packing.hadoop.PackingHadoopFileSystem;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** The claims of {@code contract/packing.xml} for {@code packing://}. */
final class PackingContract extends AbstractFSContract {
    private final LocalMount mount;

    PackingContract(LocalMount mount, Configuration configuration) {
        super(mount.configure(configuration));
        this.mount = mount;
        addConfResource("contract/packing.xml");
    }

    @Override
    public FileSystem getTestFileSystem() throws IOException {
        return FileSystem.get(mount.uri(), getConf());
    }

    @Override
    public String getScheme() {
        return PackingHadoopFileSystem.SCHEME;
    }

    @Override
    public Path getTestPath() {
        return new Path("/test");
    }
}
