// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import alluxio.underfs.UfsDirectoryStatus;
import alluxio.underfs.UfsFileStatus;
import alluxio.underfs.UfsStatus;
import io.packing.bdt.FileStatus;
import io.packing.blob.FileAttributes;
import io.packing.blob.FileVersion;

/**
 * Translates statuses into Alluxio's.
 *
 * <p>The content hash is the file version. It is known when the file is closed, differs for every content ever written,
 * and stays the same when the file is packed. So Alluxio's metadata sync never takes an upload for a change.
 */
final class UfsStatuses {
    private UfsStatuses() {}

    /** Translates either kind. */
    static UfsStatus toAlluxio(String name, FileStatus status, long blockSize) {
        return status.isDirectory() ? directory(name, status) : file(name, status, blockSize);
    }

    static UfsFileStatus file(String name, FileStatus status, long blockSize) {
        FileAttributes a = status.attributes();
        return new UfsFileStatus(
                name,
                contentHash(status.version()),
                a.length(),
                a.mtimeMillis(),
                a.owner(),
                a.group(),
                (short) a.permissions(),
                blockSize);
    }

    static UfsDirectoryStatus directory(String name, FileStatus status) {
        FileAttributes a = status.attributes();
        return new UfsDirectoryStatus(name, a.owner(), a.group(), (short) a.permissions(), a.mtimeMillis());
    }

    static String contentHash(FileVersion version) {
        return version.toString();
    }
}
