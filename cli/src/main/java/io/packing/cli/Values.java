// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.WorkerRegistration;
import io.packing.options.Parsers;
import io.packing.placement.ReplicaMode;
import io.packing.registry.cache.LayerCacheOptions;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.nodes.NodeRole;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The kinds of values that flags of daemons have; a daemon's file has the same. */
final class Values {
    private Values() {}

    /** A kind of values. Its parser throws {@link IllegalArgumentException} with the expected form. */
    abstract static class Checked<T> implements ITypeConverter<T> {
        abstract T parse(String text);

        @Override
        public final T convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** A port; 0 chooses one. */
    static final class Port extends Checked<Integer> {
        @Override
        Integer parse(String text) {
            return Parsers.count(0, 65_535).apply(text);
        }
    }

    /** The URI of a mount, as it is written. */
    static final class Mount extends Checked<String> {
        @Override
        String parse(String text) {
            MountUri unused = MountUri.parse(text);
            return text;
        }
    }

    /** A worker's id. */
    static final class WorkerId extends Checked<String> {
        @Override
        String parse(String text) {
            return new WorkerRegistration(text, "").worker();
        }
    }

    /** A number of replicas. */
    static final class Replicas extends Checked<Integer> {
        @Override
        Integer parse(String text) {
            return Parsers.count(1, Integer.MAX_VALUE).apply(text);
        }
    }

    /** A form of layers. */
    static final class Form extends Checked<LayerForm> {
        @Override
        LayerForm parse(String text) {
            return LayerForm.of(text)
                    .orElseThrow(() -> new IllegalArgumentException("'%s' is neither tar nor zstd".formatted(text)));
        }
    }

    /** The key by which a cache distinguishes users. */
    static final class Users extends Checked<LayerCacheOptions.Users> {
        @Override
        LayerCacheOptions.Users parse(String text) {
            for (LayerCacheOptions.Users users : LayerCacheOptions.Users.values()) {
                if (users.name().equalsIgnoreCase(text)) {
                    return users;
                }
            }
            throw new IllegalArgumentException("'%s' is neither address nor name".formatted(text));
        }
    }

    /** The role of a node. */
    static final class Role extends Checked<NodeRole> {
        @Override
        NodeRole parse(String text) {
            return NodeRole.named(text);
        }
    }

    /** The rule for the number of whole replicas. */
    static final class Mode extends Checked<ReplicaMode> {
        @Override
        ReplicaMode parse(String text) {
            return ReplicaMode.named(text);
        }
    }
}
