// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.raw;

import java.io.IOException;
import java.net.Socket;
import java.util.function.Predicate;

/**
 * A port to attack.
 *
 * @param name for finds
 * @param connection maker of connections
 * @param noise bytes to send
 * @param wrong whether an answer, as text, is a find
 */
public record Port(String name, Connection connection, Noise noise, Predicate<String> wrong) {
    /** A maker of connections. */
    public interface Connection {
        /**
         * Opens a connection.
         *
         * @throws IOException if the port accepts none
         */
        Socket open() throws IOException;
    }
}
