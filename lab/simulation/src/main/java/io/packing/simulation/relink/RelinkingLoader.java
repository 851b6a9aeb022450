// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import io.packing.simulation.schedule.FaultSites;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * A loader that defines the classes of {@code io.packing} anew, linked to a simulation. It also defines copies of the classes of
 * {@code java.util.concurrent} that block, under another name. All other classes are its parent's.
 */
public final class RelinkingLoader extends ClassLoader {
    /** Production, and the library of its read cache, whose futures it waits for. */
    private static final List<String> OWN = List.of("io.packing.", "com.github.benmanes.caffeine.");

    /** The classes that the simulated and the real side share. */
    private static final String SHARED = "io.packing.simulation.schedule.";

    static {
        registerAsParallelCapable();
    }

    private final Optional<PlantedDefect> defect;
    private final FaultSites sites;

    public RelinkingLoader(ClassLoader parent) {
        this(parent, Optional.empty());
    }

    /** @param defect that production gets */
    public RelinkingLoader(ClassLoader parent, Optional<PlantedDefect> defect) {
        this(parent, defect, new FaultSites());
    }

    /**
     * @param defect that production gets
     * @param sites to which those of production are added
     */
    public RelinkingLoader(ClassLoader parent, Optional<PlantedDefect> defect, FaultSites sites) {
        super(parent);
        this.defect = defect;
        this.sites = sites;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean copied = name.startsWith(Names.COPIES);
        if (!copied && (OWN.stream().noneMatch(name::startsWith) || name.startsWith(SHARED))) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name, copied);
        }
    }

    private Class<?> define(String name, boolean copied) throws ClassNotFoundException {
        String file = (copied ? Names.original(name) : name).replace('.', '/') + ".class";
        ClassLoader from = copied ? ClassLoader.getSystemClassLoader() : getParent();
        try (InputStream in = from.getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] relinked = Relinker.relink(
                    in.readAllBytes(),
                    copied,
                    defect.filter(planting -> planting.className().equals(name)),
                    sites);
            return defineClass(name, relinked, 0, relinked.length, RelinkingLoader.class.getProtectionDomain());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
