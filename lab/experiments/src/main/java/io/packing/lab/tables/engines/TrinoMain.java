// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

/** The start of Trino's server: no artifact of Maven has the main class of its distribution. Argument: the version that it tells. */
public final class TrinoMain {
    private TrinoMain() {}

    /** Starts the server, which runs until the process ends. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Class<?> server = Class.forName("io.trino.server.Server");
        Object unused = server.getMethod("start", String.class)
                .invoke(server.getConstructor().newInstance(), args[0]);
    }
}
