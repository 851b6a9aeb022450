// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import alluxio.AlluxioURI;
import alluxio.underfs.UnderFileSystem;
import alluxio.underfs.UnderFileSystemConfiguration;
import alluxio.underfs.UnderFileSystemFactory;

/**
 * The factory that Alluxio's service loader finds: it makes the under file systems of {@code packing://HOST:PORT/path}.
 */
public final class PackingUnderFileSystemFactory implements UnderFileSystemFactory {
    @Override
    public boolean supportsPath(String path) {
        return UfsPaths.isPacking(path);
    }

    /**
     * Makes an under file system, and never fails: Alluxio would hide the reason from the operator who mounts. A wrong
     * option or address comes out of the connection that Alluxio asks for next.
     */
    @Override
    public UnderFileSystem create(String path, UnderFileSystemConfiguration configuration) {
        MountConnector connector = (role, host) -> UfsWiring.openMounts().connect(role, host, path, configuration);
        return new PackingUnderFileSystem(
                new AlluxioURI(path), configuration, new ConnectedMount(connector), UfsWiring.threads());
    }
}
