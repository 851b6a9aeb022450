// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.FileStatus;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory as Hadoop sees it. The etag is the file version: it differs for every content. It stays when the
 * file is renamed, and when it is packed.
 */
final class PackingFileStatus extends org.apache.hadoop.fs.FileStatus implements EtagSource {
    private static final long serialVersionUID = 1;

    private final String etag;

    PackingFileStatus(FileStatus file, Path path, long blockSize) {
        super(
                file.attributes().length(),
                file.isDirectory(),
                1,
                blockSize,
                file.attributes().mtimeMillis(),
                0,
                new FsPermission((short) file.attributes().permissions()),
                file.attributes().owner(),
                file.attributes().group(),
                path);
        this.etag = file.version().toString();
    }

    @Override
    public String getEtag() {
        return etag;
    }

    LocatedFileStatus at(BlockLocation @Nullable [] locations) {
        return new Located(this, locations);
    }

    private static final class Located extends LocatedFileStatus implements EtagSource {
        private static final long serialVersionUID = 1;

        private final String etag;

        Located(PackingFileStatus file, BlockLocation @Nullable [] locations) {
            super(file, locations);
            this.etag = file.getEtag();
        }

        @Override
        public String getEtag() {
            return etag;
        }
    }
}
