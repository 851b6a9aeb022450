// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** A node's attributes: its kind and its length. */
record DiskAttributes(DiskNode node) implements BasicFileAttributes {
    @Override
    public FileTime lastModifiedTime() {
        return FileTime.fromMillis(0);
    }

    @Override
    public FileTime lastAccessTime() {
        return FileTime.fromMillis(0);
    }

    @Override
    public FileTime creationTime() {
        return FileTime.fromMillis(0);
    }

    @Override
    public boolean isRegularFile() {
        return node instanceof FileNode;
    }

    @Override
    public boolean isDirectory() {
        return node instanceof DirectoryNode;
    }

    @Override
    public boolean isSymbolicLink() {
        return false;
    }

    @Override
    public boolean isOther() {
        return false;
    }

    @Override
    public long size() {
        return node instanceof FileNode file ? file.length() : 0;
    }

    @Override
    public Object fileKey() {
        return node;
    }
}
