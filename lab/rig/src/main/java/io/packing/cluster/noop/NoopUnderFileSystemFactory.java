// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.noop;

import alluxio.AlluxioURI;
import alluxio.underfs.UnderFileSystem;
import alluxio.underfs.UnderFileSystemConfiguration;
import alluxio.underfs.UnderFileSystemFactory;
import org.jspecify.annotations.Nullable;

/** A factory of {@code noop://} under file systems. */
public final class NoopUnderFileSystemFactory implements UnderFileSystemFactory {
    @Override
    public UnderFileSystem create(String path, UnderFileSystemConfiguration conf) {
        return new NoopUnderFileSystem(new AlluxioURI(path), conf);
    }

    @Override
    public boolean supportsPath(@Nullable String path) {
        return path != null && path.startsWith(NoopUnderFileSystem.SCHEME);
    }
}
