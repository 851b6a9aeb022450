// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.lab.load.Meter;

/**
 * A measured run of a client without packing.
 *
 * @param client its name
 * @param settings its version and its retries, in words
 * @param repeated puts that the client gave up, and that the program did again
 */
public record DirectRun(String client, String settings, long repeated, Meter.Metered metered) {}
