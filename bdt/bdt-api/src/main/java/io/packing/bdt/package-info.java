/** The blob descriptor table as its clients see it: the port, its values and the gRPC client. */
@NullMarked
package io.packing.bdt;

import org.jspecify.annotations.NullMarked;
