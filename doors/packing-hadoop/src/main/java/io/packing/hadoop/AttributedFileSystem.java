// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.impl.PathCapabilitiesSupport;
import org.jspecify.annotations.Nullable;

/** A Hadoop file system's extended attributes, which are those that a mount of the kernel shows. Errors are worded as HDFS does. */
abstract class AttributedFileSystem extends ConnectedFileSystem {
    private static final List<String> NAMESPACES = List.of("user.", "trusted.", "security.", "system.");

    /** Returns the place of a path in the mount. */
    abstract FilePath path(Path path) throws IOException;

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        String wanted = PathCapabilitiesSupport.validatePathCapabilityArgs(makeQualified(path), capability);
        return wanted.equals(CommonPathCapabilities.FS_XATTRS) || super.hasPathCapability(path, capability);
    }

    @Override
    public void setXAttr(Path path, String name, byte @Nullable [] value, EnumSet<XAttrSetFlag> flags)
            throws IOException {
        boolean create = flags.contains(XAttrSetFlag.CREATE);
        boolean replace = flags.contains(XAttrSetFlag.REPLACE);
        if (!create && !replace) {
            throw new HadoopIllegalArgumentException("A flag must be specified.");
        }
        ExtendedChange.Kind kind =
                !replace ? ExtendedChange.Kind.CREATE : create ? ExtendedChange.Kind.PUT : ExtendedChange.Kind.REPLACE;
        ExtendedValue bytes = new ExtendedValue(value == null ? new byte[0] : value);
        change(path, new ExtendedChange(kind, checked(name), bytes));
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        change(path, ExtendedChange.of(ExtendedChange.Kind.REMOVE, checked(name)));
    }

    private void change(Path path, ExtendedChange step) throws IOException {
        FilePath at = path(path);
        Outcome outcome = Refusals.named(path, () -> bdt().setAttributes(at, AttributeChange.ofExtended(step)));
        switch (outcome) {
            case DONE -> {}
            case EXISTS ->
                throw new PathIOException(
                        path.toString(),
                        "XAttr: %s already exists. The REPLACE flag must be specified.".formatted(step.name()));
            case NO_ATTRIBUTE ->
                throw new PathIOException(
                        path.toString(),
                        step.kind() == ExtendedChange.Kind.REMOVE
                                ? "No matching attributes found for remove operation"
                                : "XAttr: %s does not exist. The CREATE flag must be specified."
                                        .formatted(step.name()));
            case NO_ROOM ->
                throw new PathIOException(path.toString(), "all extended attributes together would be too large");
            default -> throw Refusals.of(path, outcome, "given extended attributes");
        }
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        return getXAttrs(path, List.of(name)).values().iterator().next();
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        Map<String, byte[]> all = new TreeMap<>();
        bdt().extended(path(path))
                .orElseThrow(() -> new FileNotFoundException(path + " not found"))
                .forEach((name, value) -> all.put(name, value.bytes()));
        return all;
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        Map<String, byte[]> all = getXAttrs(path);
        Map<String, byte[]> found = new TreeMap<>();
        for (String name : names) {
            byte[] value = all.get(checked(name));
            if (value == null) {
                throw new PathIOException(path.toString(), "At least one of the attributes provided was not found.");
            }
            found.put(name, value);
        }
        return found;
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return new ArrayList<>(getXAttrs(path).keySet());
    }

    private static String checked(String name) {
        boolean known = NAMESPACES.stream().anyMatch(each -> name.startsWith(each) && name.length() > each.length());
        if (!known) {
            throw new HadoopIllegalArgumentException(
                    "An XAttr name must be prefixed with user/trusted/security/system, followed by a '.': " + name);
        }
        return name;
    }
}
