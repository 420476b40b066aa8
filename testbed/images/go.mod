module asfound.dev/testbed/images

go 1.26.0
